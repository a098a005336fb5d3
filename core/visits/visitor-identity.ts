import type { LinkId } from '../table/keys.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHmac } = process.getBuiltinModule('node:crypto');

/** `203.0.113.7:4711` or `2001:db8::7:4711` as CloudFront sends it, without the port. */
export const withoutPort = (viewerAddress: string): string => {
  const port = viewerAddress.lastIndexOf(':');
  return port < 0 ? viewerAddress : viewerAddress.slice(0, port);
};

/**
 * What stays of an address while its owner does: a household or a server has a /64 of IPv6 (its first four groups) and
 * picks the rest freely, so that one browser could pass for any number of visitors.
 */
const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  // An IPv4 address in IPv6 form, such as `::ffff:203.0.113.7`.
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [start = '', end] = address.split('::');
  const known = groupsOf(start);
  const left = end === undefined ? 0 : Math.max(0, 8 - known.length - groupsOf(end).length);
  const groups = [...known, ...Array<string>(left).fill('0'), ...groupsOf(end ?? '')];
  return groups.slice(0, 4).join(':');
};

/** Without the zeros that a group may begin with. */
const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));

/**
 * A visitor's identity on one link: the same for the same address (or network of IPv6) and user agent, of no use without
 * the secret, and different on every link, so visitors can't be followed from link to link. No address is stored anywhere.
 */
export const visitorHash = (secret: string, visit: IdentifiedVisit): string =>
  shortHash(keyedHash(secret, ...partsOf(visit)));

/** In place of a visitor, an opening by the ID that its app drew. It has fewer parts than a visitor, so the two never meet. */
export const openingHash = (secret: string, { project, code }: LinkId, openId: string): string =>
  shortHash(keyedHash(secret, project, code, openId));

/**
 * A visitor's number for a rule of a link, 0 to 99, from nothing but the visit: the same as long as address, user agent
 * and the deployment's secret are. Nothing is stored or sent for it.
 */
export const visitorNumber = (secret: string, visit: IdentifiedVisit, rule: string): number =>
  keyedHash(secret, ...partsOf(visit), rule).readUInt32BE() % 100;

type IdentifiedVisit = LinkId & Readonly<Record<'address' | 'userAgent', string>>;

const partsOf = ({ project, code, address, userAgent }: IdentifiedVisit) =>
  [project, code, networkOf(address), userAgent] as const;
const keyedHash = (secret: string, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', secret).update(parts.join('\n')).digest();
const shortHash = (hash: Buffer): string => hash.subarray(0, 16).toString('base64url');
