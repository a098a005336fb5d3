/** Names in `faultMessages`. The redirect's bundle does without the messages themselves. */
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
    // These carry IPv4 addresses that could be private ones: SIIT, Teredo (with other protocols' assignments), NAT64, 6to4.
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

/** The list is made for the first IP address: the redirect's start doesn't wait for it. */
const isUnroutable = (address: string, family: 'ipv4' | 'ipv6'): boolean => {
  unroutable ??= blockListOf(unroutableNetworks);
  return unroutable.check(address, family);
};

/** Whether an IP address belongs to the public internet. */
export const isPublicAddress = (address: string): boolean => {
  // IPv6 beyond this range is not assigned to anybody.
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
 * Names that resolve inside a network or a machine only (RFC 6761, RFC 6762, RFC 7686, RFC 9476, ICANN's `internal`, those
 * that ICANN keeps out because networks use them, and those of common software). `example` is free: documentation and
 * demonstrations use it, and it leads nowhere.
 */
const privateSuffixes = [
  ...['localhost', 'local', 'internal', 'home.arpa', 'localdomain', 'onion'],
  ...['lan', 'corp', 'home', 'intranet', 'private', 'test', 'invalid', 'alt', 'i2p'],
  ...['svc', 'consul', 'in-addr.arpa', 'ip6.arpa'],
];

const isPrivateName = (host: string): boolean =>
  !host.includes('.') || privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));

let allowsLocalhost = false;

/** Allows addresses to point to `localhost`, from now on in this process. Only for the local stack. */
export const allowLocalhost = (): void => {
  allowsLocalhost = true;
};

/** By the limits of DNS: 253 characters in all, and 1 to 63 between dots. */
const isImpossibleHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, '');
  return host.length > 253 || host.split('.').some(({ length }) => length === 0 || length > 63);
};

const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (allowsLocalhost && host === 'localhost') return false;
  // BlockList looks through IPv4-mapped IPv6 addresses by itself.
  if (isIPv6(host)) return isUnroutable(host, 'ipv6');
  if (isIPv4(host)) return isUnroutable(host, 'ipv4');
  return isPrivateName(host);
};

/** The address as a browser would read it, or nothing if it isn't http or https. */
export const parseHttpUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
};

/** Browsers also read `https:host`, `https:\\host` and `ht\ntps://host`; people and other software don't. */
const plainStart = /^https?:\/\/[^/\\]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const controls = /[\x00-\x1f\x7f]/;

/** Why an address can't be a destination; undefined when it can. Nothing is ever looked up or fetched. */
export const webAddressFault = (text: string): WebAddressFault | undefined => {
  const url = parseHttpUrl(text);
  if (!url || !plainStart.test(text) || isImpossibleHost(url.hostname)) return 'notUrl';
  if (controls.test(text) || text.endsWith(' ')) return 'controlCharacters';
  if (url.username || url.password) return 'credentials';
  if (isPrivateHost(url.hostname)) return 'privateHost';
  return undefined;
};

/** The name of an address's host, without the dot that may end it. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/\.+$/, '');
