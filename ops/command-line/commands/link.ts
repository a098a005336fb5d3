import { OperatorError, UsageError } from '../../base/operator-error.ts';
import type { LinkView } from '../../links/links.ts';
import { choice, command, flag, optional, required, requiredNumber, wholeNumber } from '../command.ts';
import { days, printChart } from './last-days.ts';

const library = () => import('../../links/links.ts');
const history = () => import('../../links/history.ts');
const code = required('CODE', "the link's code");
const project = required('ID', 'the project that the link belongs to');
const typed = () => import('../../links/tags.ts');
const tags = (description: string) => optional('A,B', description);

export const linkCommands = [
  command('link list', {
    summary: "List a project's links, newest first",
    options: {
      project: required('ID', 'the project whose links are listed'),
      search: optional(
        'TEXT',
        'only links with all words of this text in their code, name or any of their addresses',
      ),
      status: choice(
        ['ACTIVE', 'PAUSED', 'EXPIRED', 'BLOCKED'],
        'only links with this status; blocked links are only listed under BLOCKED',
      ),
      tag: tags('only links that have all of these tags'),
      limit: wholeNumber('N', 'how many at most (default: 50)', 1),
      all: flag('list all of them'),
    },
    run: async ({ project, tag, all, limit, ...filter }, { deployment, isJson, progress }) => {
      if (all && limit !== undefined) throw new UsageError('Give either --all or --limit N');
      const { findLinks } = await library();
      const most = all ? Number.POSITIVE_INFINITY : limit;
      const wanted = { ...filter, limit: most, tags: (await typed()).typedTags(tag, '--tag') };
      const { links, total, hasMore } = await findLinks(await deployment(), project, wanted);
      const listed = links.length.toLocaleString('en');
      const known = total ?? (isJson && !hasMore ? links.length : undefined);
      if (known !== undefined) progress(`${listed} of ${known.toLocaleString('en')}`);
      else if (hasMore) progress(`${listed}, more match`);
      return isJson ? links : links.map(summaryRow);
    },
  }),
  command('link show', {
    summary:
      'Show a link with its settings, analytics and likely mistakes, the reason if it leads nowhere, and how many clicks of all links wait to be counted',
    arguments: { code: required('CODE|URL', "the link's code, or its short URL without --project") },
    options: { project: optional('ID', 'the project that the code belongs to') },
    run: async ({ code, project: named }, { deployment, progress, usualProject }) => {
      const { linkAddressOf } = await import('../../links/link-address.ts');
      const asked = named ?? (code.includes('/') ? undefined : usualProject);
      const found = await linkAddressOf(await deployment(), { code, project: asked });
      const { showLink, uncountedClicks } = await library();
      const { reachOf, reasonsOf } = await import('../../links/link-reach.ts');
      const link = await showLink(await deployment(), found.project, found.code);
      const stopped = reasonsOf(await reachOf(await deployment(), link));
      const warnings = await (await import('../../links/live-link.ts')).warningsOf(await deployment(), link);
      return {
        ...link,
        ...(stopped.length > 0 && { stopped }),
        ...(warnings.length > 0 && { warnings }),
        ...(await uncountedClicks(await deployment(), progress)),
      };
    },
  }),
  command('link pause', {
    summary: 'Pause a link: visitors get the 404 page until it is activated',
    arguments: { code },
    options: { project },
    run: async ({ code, project }, { deployment }) =>
      (await library()).setLinkStatus(await deployment(), project, code, 'PAUSED'),
  }),
  command('link activate', {
    summary: 'Activate a paused link',
    arguments: { code },
    options: { project },
    run: async ({ code, project }, { deployment }) =>
      (await library()).setLinkStatus(await deployment(), project, code, 'ACTIVE'),
  }),
  command('link tag', {
    summary: 'Add or remove tags of a link, whatever its status',
    arguments: { code },
    options: { project, add: tags('tags to add'), remove: tags('tags to remove') },
    run: async ({ code, project, add, remove }, { deployment }) => {
      if (add === undefined && remove === undefined)
        throw new UsageError('Give --add or --remove: which tags to change');
      const { tagLink, typedTags } = await typed();
      const change = {
        add: typedTags(add, '--add'),
        remove: typedTags(remove, '--remove'),
      };
      return tagLink(await deployment(), { project, code }, change);
    },
  }),
  command('tag forget', {
    summary: "Remove a tag from the project's list, if no link uses it",
    arguments: { name: required('NAME', 'the tag') },
    options: { project: required('ID', 'the project') },
    run: async ({ name, project }, { deployment }) => {
      const { forgetTag, typedTags } = await typed();
      const [tag = '', ...others] = typedTags(name, 'NAME') ?? [];
      if (others.length > 0) throw new UsageError('Give a single tag');
      return forgetTag(await deployment(), { project, tag });
    },
  }),
  command('link delete', {
    summary: 'Delete a link; its code stays reserved, so printed URLs never lead elsewhere',
    arguments: { code },
    options: { project, yes: flag("don't ask") },
    run: async ({ code, project, yes }, { deployment, ask }) => {
      if (!yes && !ask)
        throw new UsageError(`This permanently deletes the link ${code}: add --yes to confirm`);
      const question = `Delete ${code} of ${project} permanently? Its code stays taken. [y/N] `;
      if (!yes && ask && !/^y(es)?$/.test((await ask(question)).trim()))
        throw new OperatorError('Nothing was deleted');
      return (await library()).removeLink(await deployment(), project, code);
    },
  }),
  command('link prepare', {
    summary: 'Prepare a link for many visits a second; returning visitors then count as unique again',
    arguments: { code },
    options: {
      project,
      visits: requiredNumber('N', 'expected peak of visits a second, 1 to 100000', { min: 1, max: 100_000 }),
      recountVisitors: flag('accept that visitors of a link with clicks count as unique once more'),
      withoutStandby: flag("don't wait for the second region"),
    },
    run: async ({ withoutStandby, ...expected }, { deployment, place, progress }) => {
      const { prepareLink } = await import('../../links/prepare.ts');
      const { findStandby } = await import('../../deployment/standby-access.ts');
      const hasStandby = (await deployment()).copyKeys !== undefined && !withoutStandby;
      const standby = hasStandby ? () => findStandby(place) : undefined;
      return prepareLink(await deployment(), { ...expected, standby }, progress);
    },
  }),
  command('link analytics', {
    formerVerb: 'figures',
    summary:
      "Draw a link's clicks of the last days, its visitors by group, and how many visits were excluded",
    arguments: { code },
    options: {
      project,
      days,
    },
    run: async ({ code, project, days }, context) => {
      const { linkAnalytics } = await import('../../links/analytics.ts');
      return printChart(
        await linkAnalytics(await context.deployment(), { project, code }, { days }),
        context,
      );
    },
  }),
  command('link history', {
    summary: 'List the changes of a link, newest first, also of a deleted one',
    arguments: { code },
    options: { project, limit: wholeNumber('N', 'how many entries at most (default: 50)', 1) },
    run: async ({ code, project, limit }, { deployment, isJson }) => {
      const entries = await (await history()).linkHistory(await deployment(), { project, code }, limit);
      if (isJson) return entries;
      return entries.map(({ previous, ...entry }) => ({
        ...entry,
        changed: previous && Object.keys(previous).join(', '),
      }));
    },
  }),
  command('link revert', {
    summary: "Restore a link's content to just before a change; its status is kept",
    arguments: { code },
    options: { project, before: required('ENTRY', 'the id of the change, as link history shows it') },
    run: async ({ code, project, before }, { deployment }) => {
      await (await history()).revertLink(await deployment(), { project, code }, before);
      return (await library()).showLink(await deployment(), project, code);
    },
  }),
];

/** A link as a row of a table. */
const summaryRow = ({ code, status, clickCount, createdAt, name = '', originalUrl }: LinkView) => ({
  code,
  status,
  clicks: clickCount,
  created: createdAt.slice(0, 10),
  name,
  destination: originalUrl,
});
