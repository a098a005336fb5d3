import { domainsOf } from '../../core/destinations/takedowns.ts';
import { hostnameOf, parseHttpUrl } from '../../core/destinations/web-address.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import type { ShownLink } from './links.ts';

/** Whether a link leads its visitors on. */
export interface LinkReach {
  /** The first reason for which none is led on. */
  readonly stopped?: { readonly state: StoppedState; readonly why: string };
  /** Of the hosts that it leads to, those that are blocked as destinations. */
  readonly blockedHosts: readonly string[];
}

type StoppedState = 'SUSPENDED' | 'BLOCKED' | 'EXPIRED' | 'PAUSED';

/** `more` are addresses that the link's saved apps lead to. */
export const reachOf = async (
  target: Deployment,
  link: ShownLink,
  more: readonly string[] = [],
): Promise<LinkReach> => {
  const [{ suspendedAt }, destinations] = await Promise.all([
    findProject(target, link.projectId),
    target.stores.destinations.list(),
  ]);
  const blocked = new Set(destinations.map(({ host }) => host));
  const { social: _, data: __, ...leading } = link.payload;
  const hosts = new Set([...textsIn(leading), ...more].flatMap(hostOf));
  const stopped = stoppedBy(link, suspendedAt);
  return {
    ...(stopped && { stopped }),
    blockedHosts: [...hosts].filter((host) => domainsOf(host).some((domain) => blocked.has(domain))),
  };
};

/** In one sentence each; nothing if visitors are led on. */
export const reasonsOf = ({ stopped, blockedHosts }: LinkReach): string[] => [
  ...(stopped ? [stopped.why] : []),
  ...blockedHosts.map(
    (host) => `${host} is a blocked destination: visitors who would be led there get the 404 page.`,
  ),
];

const stoppedBy = (link: ShownLink, suspendedAt: string | undefined): LinkReach['stopped'] => {
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
  if (link.status === 'EXPIRED')
    return { state: 'EXPIRED', why: `The link expired at ${shown(link.expiresAt ?? '')}: ${all}, for good.` };
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
