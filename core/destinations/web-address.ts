/** Names in `faultMessages`, without the messages, which the redirect's bundle doesn't need. */
type WebAddressFault = 'notUrl' | 'controlCharacters' | 'credentials' | 'privateHost';

// An import would evaluate every export of the module, and the redirect waits for it.
const { BlockList, isIPv4, isIPv6 } = process.getBuiltinModule('node:net');

/** Address ranges that never belong to a public destination (RFC 6890, RFC 6598, RFC 5737, cloud metadata). */
const unroutableNetworks = {
  ipv4: [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ],
  ipv6: [
    // Unspecified, loopback and the obsolete IPv4-compatible block.
    ['::', 96],
    // Addresses for documentation, and a discard prefix.
    ['2001:db8::', 32],
    ['3fff::', 20],
    ['100::', 64],
    // Networks that embed possibly private IPv4 addresses: SIIT, Teredo (with other protocol assignments), NAT64, 6to4.
    ['::ffff:0:0:0', 96],
    ['2001::', 23],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['2002::', 16],
    // Segment routing.
    ['5f00::', 16],
    ['fc00::', 7],
    ['fe80::', 9],
    ['ff00::', 8],
  ],
} as const;

let unroutable: InstanceType<typeof BlockList> | undefined;

/** The list is built for the first IP address, so that it doesn't slow cold starts. */
const isUnroutable = (address: string, family: 'ipv4' | 'ipv6'): boolean => {
  unroutable ??= blockListOf(unroutableNetworks);
  return unroutable.check(address, family);
};

/** Whether an IP address belongs to the public internet. */
export const isPublicAddress = (address: string): boolean => {
  // Other IPv6 ranges aren't assigned.
  if (isIPv6(address))
    return /^[23]/.test(address) && address.indexOf(':') === 4 && !isUnroutable(address, 'ipv6');
  return isIPv4(address) && !isUnroutable(address, 'ipv4');
};

const blockListOf = (networks: typeof unroutableNetworks) => {
  const list = new BlockList();
  for (const [network, prefix] of networks.ipv4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of networks.ipv6) list.addSubnet(network, prefix, 'ipv6');
  return list;
};

/**
 * Suffixes of names that resolve only inside a network or a machine (RFC 6761, RFC 6762, RFC 7686, RFC 9476, ICANN's
 * `internal`, names that ICANN reserves because networks use them, and those of common software). `example` is allowed,
 * because documentation uses it and it leads nowhere.
 */
const privateSuffixes = [
  ...['localhost', 'local', 'internal', 'home.arpa', 'localdomain', 'onion'],
  ...['lan', 'corp', 'home', 'intranet', 'private', 'test', 'invalid', 'alt', 'i2p'],
  ...['svc', 'consul', 'in-addr.arpa', 'ip6.arpa'],
];

const isPrivateName = (host: string): boolean =>
  !host.includes('.') || privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));

let allowsLocalhost = false;

/** Allows `localhost` in addresses, for the rest of this process. Only for the local stack. */
export const allowLocalhost = (): void => {
  allowsLocalhost = true;
};

/** Whether a host exceeds DNS limits: 253 characters, with 1 to 63 in each label. */
const isImpossibleHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, '');
  return host.length > 253 || host.split('.').some(({ length }) => length === 0 || length > 63);
};

const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (allowsLocalhost && host === 'localhost') return false;
  // Blocks of an IPv4 address wouldn't find its IPv4-mapped form.
  if (isIPv6(host)) return host.startsWith('::ffff:') || isUnroutable(host, 'ipv6');
  if (isIPv4(host)) return isUnroutable(host, 'ipv4');
  return isPrivateName(host);
};

/** The address as a browser parses it, or undefined if it isn't http or https. */
export const parseHttpUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
};

/** Browsers also accept `https:host`, `https:\\host` and `ht\ntps://host`, unlike people and other software. */
const plainStart = /^https?:\/\/[^/\\]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const controls = /[\x00-\x1f\x7f]/;

/** The reason why an address can't be a destination; undefined if it can. No name is resolved, and nothing is fetched. */
export const webAddressFault = (text: string): WebAddressFault | undefined => {
  const url = parseHttpUrl(text);
  if (!url || !plainStart.test(text) || isImpossibleHost(url.hostname)) return 'notUrl';
  if (controls.test(text) || text.endsWith(' ')) return 'controlCharacters';
  if (url.username || url.password) return 'credentials';
  if (isPrivateHost(url.hostname)) return 'privateHost';
  return undefined;
};

/** An address's host name without a trailing dot. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/\.+$/, '');
