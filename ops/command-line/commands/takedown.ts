import { command, optional, required } from '../command.ts';

const library = () => import('../../takedowns/takedowns.ts');
const code = required('CODE', "the link's code");
const id = required('ID', "the project's id");
const project = required('ID', 'the project that the link belongs to');
const host = required('HOST', 'a host name such as evil.example.com; includes its subdomains');

/** Commands against abuse. Tenants can't undo them. */
export const takedownCommands = [
  command('link block', {
    summary: 'Block a link: visitors get 404 immediately, and its project can only delete it',
    arguments: { code },
    options: { project, reason: optional('TEXT', 'why, for operators') },
    run: async ({ code, project, reason }, { deployment }) =>
      (await library()).blockLink(await deployment(), { project, code }, reason),
  }),
  command('link unblock', {
    summary: 'Unblock a link, which restores its previous state',
    arguments: { code },
    options: { project },
    run: async ({ code, project }, { deployment }) =>
      (await library()).unblockLink(await deployment(), { project, code }),
  }),
  command('project suspend', {
    summary: 'Suspend a project: within 5 seconds its short URLs return 404 and its keys get 403',
    arguments: { id },
    run: async ({ id }, { deployment }) => (await library()).suspendProject(await deployment(), id),
  }),
  command('project resume', {
    summary: 'Resume a suspended project',
    arguments: { id },
    run: async ({ id }, { deployment }) => (await library()).resumeProject(await deployment(), id),
  }),
  command('destination block', {
    summary: 'Block a host as a destination, within a minute, for new links and for visitors',
    arguments: { host },
    run: async ({ host }, { deployment }) => (await library()).blockDestination(await deployment(), host),
  }),
  command('destination list', {
    summary: 'List the blocked destinations',
    run: async (_, { deployment }) => (await library()).listDestinations(await deployment()),
  }),
  command('destination unblock', {
    summary: 'Unblock a host as a destination',
    arguments: { host },
    run: async ({ host }, { deployment }) => (await library()).unblockDestination(await deployment(), host),
  }),
  command('takedown replay', {
    summary: 'Reapply recorded takedowns after a restore: blocks, suspensions, revocations and deletions',
    run: async (_, { deployment, progress }) => {
      const { replayRecord } = await import('../../takedowns/takedown-replay.ts');
      return replayRecord(await deployment(), { progress });
    },
  }),
];
