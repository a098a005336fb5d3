import { command, optional, required } from '../command.ts';

const library = () => import('../../takedowns.ts');
const code = required('CODE', "the link's code");
const id = required('ID', "the project's id");
const project = required('ID', 'the project that the link belongs to');
const host = required('HOST', 'a host name such as evil.example.com; its subdomains are meant, too');

/** How operators stop what does harm. Tenants can't undo any of it. */
export const takedownCommands = [
  command('link block', {
    summary: 'Block a link: visitors find nothing at once, and its project can only delete it',
    arguments: { code },
    options: { project, reason: optional('TEXT', 'why, for operators') },
    run: async ({ code, project, reason }, { target }) =>
      (await library()).blockLink(await target(), { project, code }, reason),
  }),
  command('link unblock', {
    summary: 'Give a blocked link back as its project left it',
    arguments: { code },
    options: { project },
    run: async ({ code, project }, { target }) =>
      (await library()).unblockLink(await target(), { project, code }),
  }),
  command('project suspend', {
    summary: 'Suspend a project: within 5 seconds its short URLs lead nowhere and its keys may do nothing',
    arguments: { id },
    run: async ({ id }, { target }) => (await library()).suspendProject(await target(), id),
  }),
  command('project resume', {
    summary: 'Let a suspended project go on',
    arguments: { id },
    run: async ({ id }, { target }) => (await library()).resumeProject(await target(), id),
  }),
  command('destination block', {
    summary: 'Let no link lead to a host: it is refused at once, and visitors find nothing within a minute',
    arguments: { host },
    run: async ({ host }, { target }) => (await library()).blockDestination(await target(), host),
  }),
  command('destination list', {
    summary: 'List the hosts that no link may lead to',
    run: async (_, { target }) => (await library()).listDestinations(await target()),
  }),
  command('destination unblock', {
    summary: 'Let links lead to a host again',
    arguments: { host },
    run: async ({ host }, { target }) => (await library()).unblockDestination(await target(), host),
  }),
];
