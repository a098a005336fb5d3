import { OperatorError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { type Takedown, takedownSubject } from '../deployment/takedown-record.ts';
import { operator } from '../links/links.ts';
import { deleteProject } from '../projects/project-deletion.ts';

export interface Replayed {
  /** Subjects whose last act was repeated. */
  replayed: number;
  /** Subjects already in the state of their last act. */
  unchanged: number;
  /** Subjects that the table lacks. */
  missing: number;
}

type ReplayOutcome = keyof Replayed;

interface Replaying {
  readonly progress: (line: string) => void;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Replays the deployment's record. Throws OperatorError if it has none. */
export const replayRecord = async (deployment: DeploymentAccess, replaying: Replaying): Promise<Replayed> => {
  if (!deployment.takedowns)
    throw new OperatorError(
      'The stack has no takedown record: it was deployed before version 1.1. Deploy this version first',
    );
  return replayTakedowns(deployment, await deployment.takedowns.all(), replaying);
};

/**
 * Repeats the last recorded act on each link, project, destination and key where the table differs, after it was
 * restored to an earlier time. A second run changes nothing.
 */
export const replayTakedowns = async (
  deployment: DeploymentAccess,
  takedowns: readonly Takedown[],
  replaying: Replaying,
): Promise<Replayed> => {
  const sum: Replayed = { replayed: 0, unchanged: 0, missing: 0 };
  // Deletions last, because each takes a while and other acts must not wait.
  const isLong = ({ act }: Takedown) => Number(act === 'project delete');
  for (const takedown of takedowns.toSorted((one, other) => isLong(one) - isLong(other))) {
    const outcome = await replay(deployment, takedown, replaying);
    sum[outcome] += 1;
    const [, subject] = takedownSubject(takedown).split(' ');
    if (outcome === 'replayed') replaying.progress(`${takedown.act} ${subject}, as on ${takedown.at}`);
  }
  return sum;
};

const replay = (deployment: DeploymentAccess, takedown: Takedown, replaying: Replaying) => {
  if ('code' in takedown) return replayLink(deployment, takedown);
  if ('project' in takedown) return replayProject(deployment, takedown, replaying);
  return 'host' in takedown ? replayDestination(deployment, takedown) : replayKey(deployment, takedown);
};

const replayLink = async (
  { stores: { links, linkImports } }: DeploymentAccess,
  { act, at, reason, project, code }: Extract<Takedown, { code: string }>,
): Promise<ReplayOutcome> => {
  if (act === 'link unblock')
    return (await links.unblock(project, code, { now: new Date(), by: operator, isQuiet: true }))
      ? 'replayed'
      : 'unchanged';
  const found = (await linkImports.find(project, [code])).get(code);
  if (!found || found.status === 'DELETED') return 'missing';
  if (found.blockedAt !== undefined) return 'unchanged';
  return (await links.block(project, code, { now: new Date(at), by: operator, isQuiet: true, reason }))
    ? 'replayed'
    : 'missing';
};

const replayProject = async (
  deployment: DeploymentAccess,
  { act, at, project }: Exclude<Extract<Takedown, { project: string }>, { code: string }>,
  { progress, pause }: Replaying,
): Promise<ReplayOutcome> => {
  const { projects } = deployment.stores;
  const found = await projects.find(project);
  if (!found) return act === 'project delete' ? 'unchanged' : 'missing';
  if (act === 'project delete') {
    await deleteProject(deployment, project, progress, pause);
    return 'replayed';
  }
  const isWanted = act === 'project suspend';
  // Even if the project is already in that state, because functions read another item.
  await (isWanted ? projects.suspend(project, new Date(at)) : projects.resume(project, new Date()));
  return isWanted === (found.suspendedAt !== undefined) ? 'unchanged' : 'replayed';
};

const replayDestination = async (
  { stores: { destinations } }: DeploymentAccess,
  { act, at, host }: Extract<Takedown, { host: string }>,
): Promise<ReplayOutcome> => {
  if (act === 'destination unblock') return (await destinations.unblock(host)) ? 'replayed' : 'unchanged';
  if ((await destinations.list()).some((one) => one.host === host)) return 'unchanged';
  await destinations.block(host, new Date(at));
  return 'replayed';
};

const replayKey = async (
  { stores: { apiKeys } }: DeploymentAccess,
  { keyId }: Extract<Takedown, { keyId: string }>,
): Promise<ReplayOutcome> => {
  const now = new Date();
  const key = await apiKeys.revoke(keyId, now);
  if (!key) return 'missing';
  return key.revokedAt === now.toISOString() ? 'replayed' : 'unchanged';
};
