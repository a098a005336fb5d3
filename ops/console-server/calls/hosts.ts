import * as z from 'zod';
import { assignHost, lookAtHost, removeHost } from '../../hosts/assigned-hosts.ts';
import { removeAssociation, setAssociation, showAssociation } from '../../hosts/associations.ts';
import { findDomain, listDomains } from '../../hosts/domains.ts';
import type { HostState } from '../../hosts/tenants.ts';
import { showProject } from '../../projects/projects.ts';
import { consoleCall, id } from '../call.ts';
import { checkHost, type HostCheck } from '../host-checks.ts';
import { project, projectCall } from './projects.ts';

const cloudFrontCheck = ({ status, says }: HostState): HostCheck => ({
  name: 'CloudFront',
  result: status === 'active' ? 'good' : 'bad',
  detail: says,
});

const words = z.array(z.string().min(1));

export const hostCalls = {
  /** A project's hosts and the apps that open its short URLs. */
  hosts: consoleCall(z.object({ project }), async (input, { deployment }) => {
    const [{ shortBase }, domains, association] = await Promise.all([
      showProject(deployment, input.project),
      listDomains(deployment),
      showAssociation(deployment, input.project),
    ]);
    const own = domains.filter((domain) => domain.project === input.project);
    return { shortBase, hosts: own, sharedHost: new URL(deployment.shortBase).host, association };
  }),

  assignHost: consoleCall(
    z.object({
      project,
      host: id,
      root: z.string().optional(),
      notFound: z.string().optional(),
      primary: z.boolean().optional(),
    }),
    ({ host, ...draft }, { deployment }) => assignHost(deployment, host, draft),
  ),

  removeHost: consoleCall(z.object({ host: id }), (input, { deployment }) =>
    removeHost(deployment, input.host),
  ),

  /** Only for hosts of projects, so that no other address is requested. */
  checkHost: consoleCall(z.object({ host: id }), async (input, { deployment }) => {
    const { host } = await findDomain(deployment, input.host);
    const [state, checks] = await Promise.all([lookAtHost(deployment, host), checkHost(deployment, host)]);
    return [...(state ? [cloudFrontCheck(state)] : []), ...checks];
  }),

  setAssociation: consoleCall(
    z.object({ project, ios: words, android: words, fingerprints: words }),
    (input, { deployment, progress }) => setAssociation(deployment, input, (text) => progress({ text })),
  ),

  removeAssociation: projectCall(removeAssociation),
};
