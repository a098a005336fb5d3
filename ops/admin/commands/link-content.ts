import { UsageError } from '../../operator-error.ts';
import { type Context, command, optional, required } from '../command.ts';

const project = required('ID', 'the project that the link belongs to');

export const linkContentCommands = [
  command('link create', {
    summary: "Create a link; the API's rules apply",
    options: {
      project,
      link: optional('URL', 'the destination'),
      code: optional('CODE', 'its short code (default: one is made)'),
      name: optional('TEXT', 'what people call it'),
      tags: optional('A,B', 'its tags'),
      expires: optional('TIME', 'when it expires, such as 2030-01-31T12:00:00Z'),
      file: optional('JSON', 'a file with the body of POST /links; - is standard input'),
    },
    run: async ({ project, file, expires: expiresAt, tags, ...words }, context) => {
      if (words.link === undefined && file === undefined)
        throw new UsageError('Give --link URL, or --file with the body of POST /links');
      // Checks follow the target: on some links may lead to localhost.
      const target = await context.target();
      const { newLinkOf } = await import('../../link-body.ts');
      const draft = newLinkOf({ ...words, tags: tags?.split(','), expiresAt }, await bodyOf(file, context));
      const { createLink } = await import('../../link-edits.ts');
      const { code } = await createLink(target, project, draft);
      return (await links()).showLink(target, project, code);
    },
  }),
  command('link update', {
    summary: 'Change a link; what is not given stays',
    arguments: { code: required('CODE', "the link's code") },
    options: {
      project,
      link: optional('URL', 'the destination'),
      name: optional('TEXT', "what people call it; '' clears it"),
      tags: optional('A,B', "its tags, all of them; '' clears them"),
      expires: optional('TIME', "when it expires, such as 2030-01-31T12:00:00Z; '' clears it"),
      file: optional(
        'JSON',
        'a file with the fields to change, as POST /links has them; - is standard input',
      ),
    },
    run: async ({ code, project, file, link, name, tags, expires }, context) => {
      if ([file, link, name, tags, expires].every((one) => one === undefined))
        throw new UsageError('Give --link, --name, --tags, --expires or --file: what to change');
      const target = await context.target();
      const { linkEditOf } = await import('../../link-body.ts');
      const words = {
        link,
        name: cleared(name),
        tags: tags === '' ? null : tags?.split(','),
        expiresAt: cleared(expires),
      };
      const edit = linkEditOf(words, await bodyOf(file, context));
      const { updateLink } = await import('../../link-edits.ts');
      const { known, showLink } = await links();
      await known(project, code, updateLink(target, { project, code }, edit));
      return showLink(target, project, code);
    },
  }),
];

const links = () => import('../../links.ts');

const cleared = (text: string | undefined): string | null | undefined => (text === '' ? null : text);

const bodyOf = async (file: string | undefined, { input }: Context): Promise<unknown> =>
  file === undefined ? undefined : (await import('../../link-body.ts')).jsonIn(file, input);
