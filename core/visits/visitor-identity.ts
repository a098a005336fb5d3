import type { LinkId } from '../table/keys.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHmac } = process.getBuiltinModule('node:crypto');

/** An address as CloudFront sends it, such as `203.0.113.7:4711` or `2001:db8::7:4711`, without the port. */
export const withoutPort = (viewerAddress: string): string => {
  const port = viewerAddress.lastIndexOf(':');
  return port < 0 ? viewerAddress : viewerAddress.slice(0, port);
};

/**
 * The part of an address that identifies its owner. A household or a server has a /64 of IPv6 (the first four groups)
 * and may vary the rest, so that one browser could pass for any number of visitors.
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

/** The groups of an IPv6 address without leading zeros. */
const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));

/**
 * A visitor's identity on one link, derived from the address (or IPv6 network) and the user agent. It is useless
 * without the secret, and differs on every link, so visitors can't be followed across links. No address is stored
 * anywhere.
 */
export const visitorHash = (secret: string, visit: IdentifiedVisit): string =>
  shortHash(keyedHash(secret, ...partsOf(visit)));

/** An open's identity by the ID that its app drew. It hashes fewer parts than a visitor's, so the two never collide. */
export const openIdHash = (secret: string, { project, code }: LinkId, openId: string): string =>
  shortHash(keyedHash(secret, project, code, openId));

/**
 * A visitor's number for a rule of a link, 0 to 99. It stays the same while address, user agent and the deployment's
 * secret do, and nothing is stored for it.
 */
export const visitorNumber = (secret: string, visit: IdentifiedVisit, rule: string): number =>
  keyedHash(secret, ...partsOf(visit), rule).readUInt32BE() % 100;

type IdentifiedVisit = LinkId & Readonly<Record<'address' | 'userAgent', string>>;

const partsOf = ({ project, code, address, userAgent }: IdentifiedVisit) =>
  [project, code, networkOf(address), userAgent] as const;
const keyedHash = (secret: string, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', secret).update(parts.join('\n')).digest();
const shortHash = (hash: Buffer): string => hash.subarray(0, 16).toString('base64url');
