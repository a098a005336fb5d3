import { groupsFor } from '../../core/links/visitor-groups.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { warmThroughputFor, warmThroughputOf } from '../aws/warm-throughput.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { showLink } from './links.ts';

interface Expected extends LinkId {
  /** Expected peak of visits a second. */
  readonly visits: number;
  /** Whether visitors of a link with clicks may count as unique again. */
  readonly recountVisitors?: boolean | undefined;
}

/** A link that is prepared for this many visits a second. */
export interface Prepared {
  readonly code: string;
  readonly visits: number;
  readonly groups: number;
}

/**
 * Spreads the writes of a link's visitors over groups, so that the table takes their clicks. Groups never become fewer.
 * Visitors are stored by group, so returning ones count as unique again. Throws OperatorError if the link is missing,
 * or has clicks and `recountVisitors` isn't set.
 */
export const prepareLink = async (
  deployment: DeploymentAccess,
  { project, code, visits, recountVisitors = false }: Expected,
  progress: (text: string) => void,
): Promise<Prepared> => {
  const { groups: present = 1, clickCount } = await showLink(deployment, project, code);
  const groups = Math.max(present, groupsFor(visits));
  if (groups > present) {
    if (clickCount > 0 && !recountVisitors) {
      throw new OperatorError(
        `The link ${code} has clicks: visitors who return would count as unique once more. ` +
          'Accept that with --recount-visitors',
      );
    }
    await deployment.stores.links.spread(project, code, groups);
  }
  progress(`Its visitors are in ${groups === 1 ? 'one group' : `${groups} groups`}.`);
  await adviseOnTable(deployment, visits, progress);
  progress("Concurrency, the table and the firewall also need preparation: 'npx dls preflight --visits N'");
  return { code, visits, groups };
};

/** Warns if the table would have to split its partitions first. The local engine has none. */
const adviseOnTable = async (
  { tableName, access }: DeploymentAccess,
  visits: number,
  progress: (text: string) => void,
): Promise<void> => {
  const warm = await warmThroughputOf(access, tableName);
  if (!warm || warm.writes >= visits) return;
  progress(
    `Warning: the table takes ${warm.writes} writes a second at once. Deploy with ` +
      `${warmThroughputFor(visits)} a day before; AWS can't lower it`,
  );
};
