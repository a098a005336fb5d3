import { domainsOf } from '../../core/destinations/takedowns.ts';
import { hostnameOf, parseHttpUrl } from '../../core/destinations/web-address.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import type { LinkView } from './links.ts';

/** Whether a link redirects its visitors. */
export interface RedirectStatus {
  /** The first reason why nobody is redirected. */
  readonly stopped?: { readonly state: StoppedState; readonly why: string };
  /** Its destinations' hosts that are blocked. */
  readonly blockedHosts: readonly string[];
}

type StoppedState = 'SUSPENDED' | 'BLOCKED' | 'EXPIRED' | 'PAUSED';

/** The reach of a link. `more` are addresses of its saved apps. */
export const reachOf = async (
  deployment: Deployment,
  link: LinkView,
  more: readonly string[] = [],
): Promise<RedirectStatus> => {
  const [{ suspendedAt }, destinations] = await Promise.all([
    findProject(deployment, link.projectId),
    deployment.stores.destinations.list(),
  ]);
  const blocked = new Map(destinations.map(({ host, blockedAt }) => [host, blockedAt]));
  const { social: _, data: __, ...leading } = link.payload;
  const hosts = new Set([...textsIn(leading), ...more].flatMap(hostOf));
  const stopped = stoppedBy(link, suspendedAt, blocked.get(link.createdBy));
  return {
    ...(stopped && { stopped }),
    blockedHosts: [...hosts].filter((host) => domainsOf(host).some((domain) => blocked.has(domain))),
  };
};

/** The reasons, a sentence each; empty if visitors are redirected. */
export const reasonsOf = ({ stopped, blockedHosts }: RedirectStatus): string[] => [
  ...(stopped ? [stopped.why] : []),
  ...blockedHosts.map(
    (host) => `${host} is a blocked destination: visitors who would be led there get the 404 page.`,
  ),
];

const stoppedBy = (
  link: LinkView,
  suspendedAt: string | undefined,
  keyBlockedAt: string | undefined,
): RedirectStatus['stopped'] => {
  const all = 'visitors get the 404 page';
  if (suspendedAt !== undefined)
    return {
      state: 'SUSPENDED',
      why: `The project ${link.projectId} is suspended since ${shown(suspendedAt)}: ${all} of all its links.`,
    };
  if (link.blockedAt !== undefined) {
    const reason = link.blockedReason ? ` (${link.blockedReason})` : '';
    return { state: 'BLOCKED', why: `The link is blocked since ${shown(link.blockedAt)}${reason}: ${all}.` };
  }
  if (keyBlockedAt !== undefined)
    return {
      state: 'BLOCKED',
      why: `The links of the key ${link.createdBy} are blocked since ${shown(keyBlockedAt)}: ${all}.`,
    };
  if (link.status === 'EXPIRED')
    return {
      state: 'EXPIRED',
      why: `The link expired at ${shown(link.expiresAt ?? '')}: ${all}, permanently.`,
    };
  if (link.status === 'PAUSED')
    return { state: 'PAUSED', why: `The link is paused: ${all} until it is activated.` };
  return undefined;
};

const shown = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const hostOf = (text: string): string[] => {
  const url = parseHttpUrl(text);
  return url ? [hostnameOf(url)] : [];
};
