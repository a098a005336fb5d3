import { groupsFor } from '../../core/links/visitor-groups.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { warmThroughputFor, warmThroughputOf } from '../deployment/warm-throughput.ts';
import { showLink } from './links.ts';

interface Expected extends LinkId {
  /** Visits a second at most. */
  readonly visits: number;
  /** Whether visitors of a link with clicks may count as unique once more. */
  readonly recountVisitors?: boolean | undefined;
}

/** A link that is prepared for so many visits a second. */
export interface Prepared {
  readonly code: string;
  readonly visits: number;
  /** In how many groups its visitors are. */
  readonly groups: number;
}

/**
 * Spreads what the visitors of a link write, so that the table takes their clicks as they come. Groups never become
 * fewer. Visitors are known by their group, so those who return count as unique once more. Throws OperatorError if the
 * link is not there, or has clicks and nobody agreed to that.
 */
export const prepareLink = async (
  target: DeploymentAccess,
  { project, code, visits, recountVisitors = false }: Expected,
  progress: (text: string) => void,
): Promise<Prepared> => {
  const { groups: present = 1, clickCount } = await showLink(target, project, code);
  const groups = Math.max(present, groupsFor(visits));
  if (groups > present) {
    if (clickCount > 0 && !recountVisitors) {
      throw new OperatorError(
        `The link ${code} has clicks: visitors who return would count as unique once more. ` +
          'Agree to that with --recount-visitors',
      );
    }
    await target.stores.links.spread(project, code, groups);
  }
  progress(`Its visitors are in ${groups === 1 ? 'one group' : `${groups} groups`}.`);
  await adviseOnTable(target, visits, progress);
  progress("Concurrency, the table and the firewall need preparation, too: 'npx dls preflight --visits N'");
  return { code, visits, groups };
};

/** Says if the table would have to split its partitions first. The local engine has none. */
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
