import { hostIn } from '../../hosts/host-name.ts';
import { command, flag, optional, required } from '../command.ts';

const library = () => import('../../hosts/assigned-hosts.ts');
const host = { ...required('HOST', 'a host name such as go.example.com'), read: hostIn };

export const domainCommands = [
  command('domain assign', {
    summary: 'Assign a host to a project: its short URLs become https://HOST/{code}',
    arguments: { host },
    options: {
      project: required('ID', 'the project that gets the host'),
      root: optional('URL', "where the host's / leads; '' clears it"),
      notFound: optional('URL', "where a link on the host's 404 page leads; '' clears it"),
      selfHosted: flag("prove a tenant's certificate through the host's present server, before DNS changes"),
    },
    run: async ({ host, selfHosted = false, ...draft }, { deployment, isJson, progress }) => {
      const assigned = await (await library()).assignHost(await deployment(), host, { ...draft, selfHosted });
      // The printed result contains it; JSON goes to a program.
      if (isJson && assigned.says !== undefined) progress(assigned.says);
      return assigned;
    },
  }),
  command('domain list', {
    summary: 'List all hosts with their projects, and where / and the link on the 404 page lead',
    run: async (_, { deployment }) => (await library()).listHosts(await deployment()),
  }),
  command('domain remove', {
    summary: "Remove a host from its project; the host's short URLs stop working",
    arguments: { host },
    run: async ({ host }, { deployment }) => (await library()).removeHost(await deployment(), host),
  }),
];
