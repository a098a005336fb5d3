import * as z from 'zod';
import { assignHost, removeHost } from '../../assigned-hosts.ts';
import { removeAssociation, setAssociation, showAssociation } from '../../associations.ts';
import { listDomains } from '../../domains.ts';
import { OperatorError } from '../../operator-error.ts';
import { showProject } from '../../projects.ts';
import { call } from '../call.ts';
import { checkHost } from '../host-checks.ts';
import { project } from './projects.ts';

const words = z.array(z.string().min(1));

export const hostCalls = {
  /** A project's hosts and the apps that open its short URLs. */
  hosts: call(z.object({ project }), async (input, { target }) => {
    const [{ shortBase }, domains, association] = await Promise.all([
      showProject(target, input.project),
      listDomains(target),
      showAssociation(target, input.project),
    ]);
    const own = domains.filter((domain) => domain.project === input.project).map(({ host }) => host);
    return { shortBase, hosts: own, sharedHost: new URL(target.shortBase).host, association };
  }),

  assignHost: call(z.object({ project, host: z.string() }), (input, { target }) =>
    assignHost(target, input.host, { project: input.project }),
  ),

  removeHost: call(z.object({ host: z.string() }), (input, { target }) => removeHost(target, input.host)),

  /** Only of hosts that belong to a project: nothing else is asked for. */
  checkHost: call(z.object({ host: z.string() }), async ({ host }, { target }) => {
    if (!(await target.stores.domains.find(host)))
      throw new OperatorError(`The host ${host} belongs to no project`);
    return checkHost(target, host);
  }),

  setAssociation: call(
    z.object({ project, ios: words, android: words, fingerprints: words }),
    (input, { target, progress }) => setAssociation(target, input, (text) => progress({ text })),
  ),

  removeAssociation: call(z.object({ project }), (input, { target }) =>
    removeAssociation(target, input.project),
  ),
};
