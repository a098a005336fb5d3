import { isIPv6 } from 'node:net';
import { keyIdShape } from '../../core/api-keys/api-key.ts';
import type { BlockedDestination } from '../../core/destinations/destination-store.ts';
import { blockedLabels } from '../../core/destinations/takedowns.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { noteTakedown } from '../deployment/takedown-record.ts';
import { noLink, operator, showLink } from '../links/links.ts';
import { findProject, noProject, showProject } from '../projects/projects.ts';
import { shownColumn } from '../transfer/unknown-columns.ts';

/**
 * Hides a link from visitors at once. No write of its project brings it back. Throws OperatorError if the
 * project has no such link.
 */
export const blockLink = async (deployment: Deployment, { project, code }: LinkId, reason?: string) => {
  await findProject(deployment, project);
  const now = new Date();
  if (!(await deployment.stores.links.block(project, code, { now, by: operator, reason })))
    throw noLink({ project, code });
  await noteTakedown(deployment, { act: 'link block', at: now.toISOString(), project, code, reason });
  return showLink(deployment, project, code);
};

/** Unblocks a link, which gets its owner's state back. Throws OperatorError if it isn't blocked. */
export const unblockLink = async (deployment: Deployment, { project, code }: LinkId): Promise<LinkId> => {
  await findProject(deployment, project);
  const now = new Date();
  const wasBlocked = await deployment.stores.links.unblock(project, code, { now, by: operator });
  await noteTakedown(deployment, { act: 'link unblock', at: now.toISOString(), project, code });
  if (!wasBlocked) {
    throw new OperatorError(`The project ${project} has no blocked link ${code}`);
  }
  return { project, code };
};

/** Stops a project within five seconds: its short URLs and its keys. Throws OperatorError if it doesn't exist. */
export const suspendProject = async (deployment: Deployment, id: string) => {
  const now = new Date();
  if (!(await deployment.stores.projects.suspend(id, now))) throw noProject(id);
  await noteTakedown(deployment, { act: 'project suspend', at: now.toISOString(), project: id });
  return showProject(deployment, id);
};

/** Throws OperatorError if there is no such project. */
export const resumeProject = async (deployment: Deployment, id: string) => {
  const now = new Date();
  if (!(await deployment.stores.projects.resume(id, now))) throw noProject(id);
  await noteTakedown(deployment, { act: 'project resume', at: now.toISOString(), project: id });
  // Pending deliveries continue.
  for (const { webhook } of await deployment.stores.webhooks.all(id))
    await deployment.webhooks?.wake({ project: id, webhook: webhook.id });
  return showProject(deployment, id);
};

/** Blocks a host and its subdomains as destinations. Throws OperatorError for an invalid host. */
export const blockDestination = async (deployment: Deployment, text: string): Promise<BlockedDestination> => {
  const now = new Date();
  const blocked = await deployment.stores.destinations.block(destinationHost(text), now);
  await noteTakedown(deployment, { act: 'destination block', at: now.toISOString(), host: blocked.host });
  return blocked;
};

export const listDestinations = async ({ stores }: Deployment): Promise<BlockedDestination[]> =>
  (await stores.destinations.list()).filter(({ host }) => !keyIdShape.test(host));

/** Throws OperatorError if the host isn't blocked. */
export const unblockDestination = async (deployment: Deployment, text: string): Promise<{ host: string }> => {
  const { destinations } = deployment.stores;
  // Any listed host can be unblocked, even one that is no longer valid.
  const listed = (await listDestinations(deployment)).find(({ host }) => host === text);
  const host = listed?.host ?? destinationHost(text);
  const wasBlocked = await destinations.unblock(host);
  await noteTakedown(deployment, { act: 'destination unblock', at: new Date().toISOString(), host });
  if (!wasBlocked) throw new OperatorError(`The host ${host} is not blocked`);
  return { host };
};

const label = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const hostName = new RegExp(`^(?=.{1,253}$)${label}(\\.${label}){1,${blockedLabels - 1}}$`);

/** A host as in addresses: in lower case, encoded, without a final dot. */
const destinationHost = (text: string): string => {
  const given = text.trim();
  const address = URL.parse(`https://${isIPv6(given) ? `[${given}]` : given}/`);
  const host = address?.hostname.replace(/\.$/, '') ?? '';
  const isAlone = address?.pathname === '/' && address.port === '' && !/[@/?#\s\\]/.test(given);
  if (isAlone && (hostName.test(host) || isIPv6(host.replace(/^\[|\]$/g, '')))) return host;
  const page = URL.parse(/^https?:\/\//i.test(given) ? given : `https://${given}`)?.hostname.replace(
    /\.$/,
    '',
  );
  if (page !== undefined && hostName.test(page))
    throw new UsageError(`'${shownColumn(text)}' can't be blocked: name a host. Did you mean '${page}'?`);
  const wildcard = /^\*\.(.+)$/.exec(given);
  throw new UsageError(
    wildcard
      ? `'${shownColumn(text)}' can't be blocked: name '${shownColumn(wildcard[1] ?? '')}', which also blocks its subdomains`
      : `'${shownColumn(text)}' can't be blocked: name a host of 2 to ${blockedLabels} labels, such as evil.example.com, or an IP address`,
  );
};
