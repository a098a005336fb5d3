import { command, required } from '../command.ts';

const library = () => import('../../domains.ts');
const host = required('HOST', 'a host name such as go.example.com');

export const domainCommands = [
  command('domain assign', {
    summary: 'Give a host to a project: its short URLs become https://HOST/{code}',
    arguments: { host },
    options: { project: required('ID', 'the project that gets the host') },
    run: async ({ host, project }, { target }) =>
      (await library()).assignDomain(await target(), host, project),
  }),
  command('domain list', {
    summary: 'List all hosts with their projects',
    run: async (_, { target }) => (await library()).listDomains(await target()),
  }),
  command('domain remove', {
    summary: "Take a host away from its project; the host's short URLs stop working",
    arguments: { host },
    run: async ({ host }, { target }) => (await library()).removeDomain(await target(), host),
  }),
];
