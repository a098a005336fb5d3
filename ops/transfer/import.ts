import type { KnownHosts } from '../../core/destinations/destination-store.ts';
import type { CustomHost } from '../../core/hosts/domain-store.ts';
import { shortBaseOf } from '../../core/projects/project.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { checkBatch } from './checked-row.ts';
import { openSource } from './formats.ts';
import type { ImportRequest } from './import-request.ts';
import { projectApps } from './project-apps.ts';
import type { SourceRow } from './row.ts';
import { movingHosts, unassigned } from './row-hosts.ts';
import { countRow, type ImportTotals, isClean, noRows, type RowOutcome } from './row-outcome.ts';
import { plainHost } from './short-url.ts';
import { storeBatch } from './stored-rows.ts';
import { openTextFile } from './text-file.ts';

export { countRow, type ImportTotals, isClean, noRows, type RowOutcome };

/** Rows per lookup: BatchGetItem's limit. */
const batchSize = 100;

/**
 * Imports a file of links and yields the outcome of each row, in order. No row stops it, and a repeated import finds
 * earlier rows unchanged, so it continues after any interruption. Throws OperatorError for a missing project or file,
 * and for a project that is deleted meanwhile.
 */
export async function* importLinks(
  deployment: Deployment,
  request: ImportRequest,
): AsyncGenerator<RowOutcome> {
  const found = await findProject(deployment, request.project);
  const domains = await deployment.stores.domains.list();
  await using file = await openTextFile(request.file, request.title);
  const hosts = {
    given: request.host === undefined ? undefined : plainHost(request.host),
    own: domains.filter(({ project }) => project === found.id).map(({ host }) => plainHost(host)),
  };
  const source = await openSource(
    file,
    { format: request.format, name: request.name ?? request.file },
    hosts,
  );
  if (source.note !== undefined) request.note?.(source.note);
  const moving = await movingHosts(source, hosts, request.signal);
  request.counted?.(moving.count);
  const rules = {
    project: found.id,
    hosts: await knownHosts(deployment, domains, moving.all),
    apps: await projectApps(deployment, found.id, request.newId),
    isLenient: source.isLenient,
  };
  const segments = await deployment.stores.linkImports.segments(found.id);
  const tags = new Set(await deployment.stores.tags.list(found.id));
  const linesOfCodes = new Map<string, number>();
  const planned = { links: 0 };
  let storing: Promise<RowOutcome[]> = Promise.resolve([]);
  for await (const rows of batchesOf(moving.rows())) {
    if (request.signal?.aborted) break;
    // Reads the list's present segment for new links, and detects a deleted project.
    const project = await findProject(deployment, found.id);
    const context = {
      deployment,
      request,
      source,
      project,
      segments,
      rules,
      tags,
      linesOfCodes,
      planned,
      now: new Date(),
    };
    // A batch is read and checked while the one before is stored.
    const checked = await checkBatch(rows, context);
    const outcomes = await storing;
    storing = storeBatch(checked, context);
    // Its failure is thrown when awaited; the consumer of these outcomes may be slow.
    storing.catch(() => undefined);
    yield* outcomes;
  }
  yield* await storing;
  const own = [...hosts.own, plainHost(new URL(deployment.shortBase).host)];
  const foreign = [...moving.kept].filter((host) => !own.includes(host));
  for (const line of unassigned(foreign, shortBaseOf(found, deployment.shortBase))) request.note?.(line);
}

/** Hosts at the start of an import, because reading them for each row would be slow. */
const knownHosts = async (
  { stores, shortBase }: Deployment,
  domains: readonly CustomHost[],
  moving: Iterable<string>,
): Promise<KnownHosts> => {
  const assigned = domains.map(({ host }) => plainHost(host));
  const own = new Set([plainHost(new URL(shortBase).host), ...assigned, ...moving]);
  const blocked = new Set((await stores.destinations.list()).map(({ host }) => host));
  return { isOwn: (host) => own.has(host), isBlocked: (domain) => blocked.has(domain) };
};

async function* batchesOf(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
