import { type Context, command, optional, required } from '../command.ts';

const library = () => import('../../standby/standby.ts');
const standby = async ({ place }: Context) =>
  (await import('../../deployment/standby-access.ts')).findStandby(place);

export const standbyCommands = [
  command('standby show', {
    summary: 'Show the second region, and how far it is behind',
    run: async (_, context) => (await library()).showStandby(await standby(context), context.deployment),
  }),
  command('standby sync', {
    summary: "Make the second region's copy equal, and block denied links",
    run: async (_, context) =>
      (await library()).syncStandby(await standby(context), await context.deployment(), context),
  }),
  command('standby stop', {
    summary: 'Stop the second region: visitors get the page that reloads itself',
    run: async (_, context) => (await library()).setStopped(await standby(context), true),
  }),
  command('standby start', {
    summary: 'Let a stopped second region serve visitors again',
    run: async (_, context) => (await library()).setStopped(await standby(context), false),
  }),
  command('standby deny', {
    summary: 'Hide a link in the second region, until the first one can block it',
    arguments: { code: required('CODE', "the link's code") },
    options: {
      project: required('ID', 'the project that the link belongs to'),
      reason: optional('TEXT', 'why, for operators'),
    },
    run: async ({ code, project, reason }, context) =>
      (await library()).hideLink(await standby(context), { project, code }, reason),
  }),
];
