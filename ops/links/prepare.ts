import { setTimeout as delay } from 'node:timers/promises';
import { groupsFor } from '../../core/links/visitor-groups.ts';
import { type LinkId, linkKey } from '../../core/table/keys.ts';
import { warmThroughputFor, warmThroughputOf } from '../aws/warm-throughput.ts';
import { errorText } from '../base/error-text.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import type { Standby } from '../deployment/standby-access.ts';
import { showLink } from './links.ts';

interface Expected extends LinkId {
  /** Expected peak of visits a second. */
  readonly visits: number;
  /** Whether visitors of a link with clicks may count as unique again. */
  readonly recountVisitors?: boolean | undefined;
  /** Opens the second region, which must have the groups at the end; absent without one. */
  readonly standby?: (() => Promise<Pick<Standby, 'copy'>>) | undefined;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Spreads the writes of a link's visitors over groups, so that the table takes their clicks. Groups never become fewer.
 * Visitors are stored by group, so returning ones count as unique again. Throws OperatorError if the link is missing,
 * if it has clicks and `recountVisitors` isn't set, or if the second region can't be reached.
 */
export const prepareLink = async (
  deployment: DeploymentAccess,
  { project, code, visits, recountVisitors = false, standby, pause = delay }: Expected,
  progress: (text: string) => void,
) => {
  const { groups: present = 1, clickCount } = await showLink(deployment, project, code);
  const groups = Math.max(present, groupsFor(visits));
  const inCopy = standby && (await groupsInCopy(standby, { project, code }));
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
  if (inCopy) {
    for (let left = copySeconds; (await inCopy()) < groups; left -= 1) {
      if (left === 0)
        throw new OperatorError(`The second region hasn't got the groups within ${copySeconds} s${without}`);
      await pause(1000);
    }
    progress('The second region has the same groups.');
  }
  await adviseOnTable(deployment, visits, progress);
  progress("Concurrency, the table and the firewall also need preparation: 'npx dls preflight --visits N'");
  return { code, visits, groups };
};

/** The longest wait for the copier. */
const copySeconds = 120;
const without = ". '--without-standby' prepares only the first region";

/** Reads the groups of the second region's link; resolves once that region can be reached. Throws OperatorError. */
const groupsInCopy = async (open: NonNullable<Expected['standby']>, { project, code }: LinkId) => {
  const reached = async <Result>(asked: Promise<Result>): Promise<Result> => {
    try {
      return await asked;
    } catch (error) {
      throw new OperatorError(`The second region can't be reached: ${errorText(error)}${without}`);
    }
  };
  const { copy } = await reached(open());
  const groups = async () => Number((await reached(copy.get(linkKey(project, code))))?.groups ?? 1);
  await groups();
  return groups;
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
