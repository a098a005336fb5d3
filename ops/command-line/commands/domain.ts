import { hostIn } from '../../../core/hosts/host-name.ts';
import { OperatorError, reading } from '../../base/operator-error.ts';
import { command, flag, optional, required } from '../command.ts';

const library = () => import('../../hosts/assigned-hosts.ts');
const host = { ...required('HOST', 'a host name such as go.example.com'), read: reading(hostIn) };

export const domainCommands = [
  command('domain assign', {
    summary:
      "Assign a host to a project; the project's short URLs begin with its primary host, at first the first one",
    arguments: { host },
    options: {
      project: required('ID', 'the project that gets the host'),
      root: optional('URL', "where the host's / leads; '' clears it"),
      notFound: optional('URL', "where a link on the host's 404 page leads; '' clears it"),
      primary: flag("make it the primary host: all of the project's short URLs begin with it"),
      yes: flag("don't ask"),
      selfHosted: flag("prove a tenant's certificate through the host's present server, before DNS changes"),
    },
    run: async ({ host, selfHosted = false, yes, ...draft }, { deployment, isJson, progress, ask }) => {
      const question = `All short URLs of ${draft.project} will begin with ${host}; printed ones keep working. Go on? [y/N] `;
      if (draft.primary && !yes && ask && !/^y(es)?$/.test((await ask(question)).trim()))
        throw new OperatorError('Nothing was changed');
      const assigned = await (await library()).assignHost(await deployment(), host, { ...draft, selfHosted });
      // The printed result contains it; JSON goes to a program.
      if (isJson && assigned.says !== undefined) progress(assigned.says);
      return assigned;
    },
  }),
  command('domain list', {
    summary:
      'List all hosts with their projects, whether they are the primary host, and where / and the link on the 404 page lead',
    run: async (_, { deployment }) => (await library()).listHosts(await deployment()),
  }),
  command('domain remove', {
    summary: "Remove a host from its project; the host's short URLs stop working",
    arguments: { host },
    run: async ({ host }, { deployment }) => (await library()).removeHost(await deployment(), host),
  }),
];
