import { BlockList, isIP } from 'node:net';

/** A check that the description states because JSON Schema has no words for it. */
export interface Check {
  readonly says?: string;
  /** Of these the first that fails is told. */
  readonly first?: readonly Check[];
  readonly ends?: boolean;
  readonly if?: 'always' | 'faultless';
  readonly of?: string;
  readonly [rule: string]: unknown;
}

type Rule = (wanted: never, value: never, check: Check) => boolean | readonly string[];

/** For each rule whether a value passes, or the places in it that don't. */
const rules: Readonly<Record<string, Rule>> = {
  match: (pattern: string, text: string, { of }) => new RegExp(pattern).test(partOf(text, of)),
  not: (pattern: string, text: string, { of }) => !new RegExp(pattern).test(partOf(text, of)),
  bytes: (most: number, value: unknown, { of = '' }) => (sizes[of]?.(value as never) ?? 0) <= most,
  networks: (networks: Networks, address: string) => {
    const host = partOf(address, 'hostname')
      .replace(/^\[|\]$/g, '')
      .replace(/\.+$/, '');
    const family = isIP(host);
    return family === 0 || !blockListOf(networks).check(host, family === 4 ? 'ipv4' : 'ipv6');
  },
  day: (_: true, text: string) => {
    const day = text.slice(0, 10);
    const date = new Date(`${day}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  },
  years: ([first, last]: [number, number], text: string) => {
    const year = new Date(text).getUTCFullYear();
    return year >= first && year <= last;
  },
  past: (name: string, link: Record<string, string>) =>
    link[name] === undefined || Date.parse(link[name]) > Date.now() ? [] : [name],
  different: (most: number, values: readonly string[]) =>
    new Set(values.map((value) => value.toLowerCase())).size <= most,
  repeated: (_: true, values: readonly unknown[]) => new Set(values).size === values.length,
  unique: (name: string, items: readonly Record<string, unknown>[]) =>
    items.flatMap((item, index) =>
      items.findIndex((other) => other[name] === item[name]) < index ? [`${index}.${name}`] : [],
    ),
  sum: (name: string, items: readonly Record<string, number>[], { most }) =>
    items.reduce((sum, item) => sum + (item[name] ?? 0), 0) <= Number(most),
  one: (names: readonly string[], value: object) => names.filter((name) => name in value).length === 1,
  some: (names: readonly string[], value: object) => names.some((name) => name in value),
  rising: ([from, until]: [string, string], value: Record<string, string>) =>
    Date.parse(value[from] ?? '') >= Date.parse(value[until] ?? '') ? [from] : [],
  hosts: (most: number, { payload }: { payload: { link: string; rules?: readonly Led[] } }) => {
    const led = (payload.rules ?? []).flatMap(({ link, split = [] }) => [
      link,
      ...split.map((one) => one.link),
    ]);
    const hosts = new Set(led.flatMap((address) => (address ? partOf(address, 'hostname') : [])));
    hosts.delete(partOf(payload.link, 'hostname'));
    return hosts.size <= most ? [] : ['payload.rules'];
  },
};

interface Led {
  readonly link?: string;
  readonly split?: readonly { readonly link: string }[];
}

type Networks = Readonly<Record<'ipv4' | 'ipv6', readonly (readonly [string, number])[]>>;

/** The places that fail a check; the value itself is ''. */
export const holds = (check: Check, value: unknown): readonly string[] => {
  const [name = '', rule] = Object.entries(rules).find(([one]) => one in check) ?? [];
  // A description of another version may state what this program doesn't know.
  const outcome = rule?.(check[name] as never, value as never, check) ?? true;
  return typeof outcome === 'boolean' ? (outcome ? [] : ['']) : outcome;
};

/** A text, or a part of the address that it is; empty if it is none. */
const partOf = (text: string, part: string | undefined): string => {
  if (part === undefined) return text;
  return URL.canParse(text) ? String(new URL(text)[part as 'hostname']) : '';
};

const encoded = (text: string): number => encodeURIComponent(text.toWellFormed()).length;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
/** Without the quotes around it. */
const answered = (text: string): number => bytesOf(JSON.stringify(text)) - bytesOf(JSON.stringify(''));

/** What a value takes where it takes most. */
const sizes: Readonly<Record<string, (value: never) => number>> = {
  text: (text: string) => Math.max(answered(text), encoded(text)),
  address: (text: string) => Math.max(partOf(text, 'href').length, answered(text)),
  json: bytesOf,
  quoted: (value: unknown) => bytesOf(JSON.stringify(value)),
  referrer: (values: Readonly<Record<string, unknown>>) =>
    encoded(
      Object.entries(values)
        .flatMap(([name, value]) =>
          typeof value === 'string' && value ? [`${name}=${encodeURIComponent(value.toWellFormed())}`] : [],
        )
        .join('&'),
    ),
};

let blocked: BlockList | undefined;

const blockListOf = (networks: Networks): BlockList => {
  if (blocked) return blocked;
  blocked = new BlockList();
  for (const family of ['ipv4', 'ipv6'] as const)
    for (const [network, prefix] of networks[family]) blocked.addSubnet(network, prefix, family);
  return blocked;
};
