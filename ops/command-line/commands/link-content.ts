import { settingColumns } from '../../../core/links/link-columns.ts';
import { UsageError } from '../../base/operator-error.ts';
import { type Context, command, flag, flagOf, optional, type Parameter, required } from '../command.ts';

const project = required('ID', 'the project that the link belongs to');

/** An option for each column of a table of links that holds a setting. */
const settings: Readonly<Record<string, Parameter<string | undefined>>> = Object.fromEntries(
  settingColumns.map(({ name, about = '', choices, isJson }) => [
    name,
    {
      ...optional(
        choices?.join('|') ?? (isJson ? 'JSON' : 'TEXT'),
        about.replaceAll('`', '').replace(/\.$/, ''),
      ),
      choices,
    },
  ]),
);

export const linkContentCommands = [
  command('link create', {
    summary: 'Create a link; it is validated like an API call',
    arguments: { url: optional('URL', 'the destination') },
    options: {
      project,
      link: optional('URL', 'the destination, in place of the argument'),
      code: optional('CODE', 'its short code (default: generated)'),
      name: optional('TEXT', 'its display name'),
      tags: optional('A,B', 'its tags'),
      expires: optional('TIME', 'when it expires, such as 2030-01-31T12:00:00Z'),
      paused: flag('create it paused'),
      file: optional('JSON', 'a file with the body of POST /links; - is standard input'),
      ...settings,
    },
    run: async ({ project, file, expires, paused, tags, code, name, url, link, ...given }, context) => {
      if (url !== undefined && link !== undefined)
        throw new UsageError('Give the destination once: as the argument or by --link');
      const destination = url ?? link;
      if (destination === undefined && file === undefined)
        throw new UsageError('Give the destination, or --file with the body of POST /links');
      // Checks depend on the deployment: on some, links may lead to localhost.
      const deployment = await context.deployment();
      const { newLinkOf } = await import('../../links/link-body.ts');
      const status = paused ? 'PAUSED' : undefined;
      const common = { code, name, tags: tags?.split(','), expiresAt: expires, status };
      const options = { ...common, 'payload.link': destination, ...byField(given) };
      const nameOf = (path: string) =>
        path === 'payload.link' && url !== undefined ? 'URL' : optionOf(path);
      const draft = newLinkOf(options, await bodyOf(file, context), nameOf);
      const { addLink } = await import('../../links/link-edits.ts');
      const created = await addLink(deployment, project, draft);
      return (await links()).showLink(deployment, project, created.code);
    },
  }),
  command('link update', {
    summary: 'Change a link; fields that you omit keep their values',
    arguments: { code: required('CODE', "the link's code") },
    options: {
      project,
      link: optional('URL', 'the destination'),
      name: optional('TEXT', "its display name; '' clears it"),
      tags: optional('A,B', "its tags, replacing all of them; '' clears them"),
      expires: optional('TIME', "when it expires, such as 2030-01-31T12:00:00Z; '' clears it"),
      appData: optional('JSON', "data for the app, replacing all of it: an object of texts; '' clears it"),
      file: optional(
        'JSON',
        'a file with the fields to change, as POST /links has them; - is standard input',
      ),
    },
    run: async ({ code, project, file, link, name, tags, expires, appData }, context) => {
      if ([file, link, name, tags, expires, appData].every((one) => one === undefined))
        throw new UsageError('Give --link, --name, --tags, --expires, --app-data or --file: what to change');
      const deployment = await context.deployment();
      const { linkEditOf } = await import('../../links/link-body.ts');
      const options = {
        'payload.link': link,
        name: cleared(name),
        tags: tags === '' ? null : tags?.split(','),
        expiresAt: cleared(expires),
        ...byField({ appData }),
      };
      const edit = linkEditOf(options, await bodyOf(file, context), optionOf);
      const { editLink } = await import('../../links/link-edits.ts');
      await editLink(deployment, { project, code }, edit);
      return (await links()).showLink(deployment, project, code);
    },
  }),
];

/** Values of the options for columns, by field path. */
const byField = (given: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    settingColumns.map(({ name, field = name, isJson }) => [
      field,
      isJson ? jsonOf(given[name], field) : given[name],
    ]),
  );

const jsonOf = (text: string | undefined, field: string): unknown => {
  try {
    return text === '' ? null : text && JSON.parse(text);
  } catch {
    throw new UsageError(`${optionOf(field)} must be JSON, such as '{"screen":"offers"}'`);
  }
};

const optionOf = (path: string): string => {
  const column = settingColumns.find(({ name, field = name }) => field === path)?.name;
  const name = column ?? path.replace('payload.', '').replace('expiresAt', 'expires');
  return flagOf(name);
};

const links = () => import('../../links/links.ts');

const cleared = (text: string | undefined): string | null | undefined => (text === '' ? null : text);

const bodyOf = async (file: string | undefined, { input }: Context): Promise<unknown> =>
  file === undefined ? undefined : (await import('../../links/link-body.ts')).jsonIn(file, input);
