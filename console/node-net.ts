/** The part of `node:net` that routing uses, for browsers: the bundle replaces `process.getBuiltinModule` with it. */

/** An address's bits and their number; undefined for other texts. */
const bitsOf = (text: string): { readonly bits: bigint; readonly length: 32 | 128 } | undefined => {
  const host = text.includes(':') ? `[${text}]` : text;
  const name = URL.parse(`http://${host}/`)?.hostname;
  if (name === undefined) return undefined;
  if (!name.startsWith('[')) {
    // Browsers also parse `1` and `0x7f.1` as addresses; `node:net` doesn't.
    if (name !== text || !/^\d+(\.\d+){3}$/.test(text)) return undefined;
    return { bits: text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n), length: 32 };
  }
  const [left = '', right] = name.slice(1, -1).split('::');
  const partsOf = (half = '') => (half === '' ? [] : half.split(':'));
  const [before, after] = [partsOf(left), partsOf(right)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const bits = [...before, ...zeros, ...after].reduce((sum, part) => sum * 65536n + BigInt(`0x${part}`), 0n);
  return bits >> 32n === 0xffffn ? { bits: bits & 0xffffffffn, length: 32 } : { bits, length: 128 };
};

class BlockList {
  readonly #nets: { readonly first: bigint; readonly rest: bigint; readonly length: number }[] = [];

  addSubnet(network: string, prefix: number): void {
    const net = bitsOf(network);
    if (net)
      this.#nets.push({
        first: net.bits >> BigInt(net.length - prefix),
        rest: BigInt(net.length - prefix),
        length: net.length,
      });
  }

  check(address: string): boolean {
    const asked = bitsOf(address);
    return this.#nets.some(
      ({ first, rest, length }) => asked?.length === length && asked.bits >> rest === first,
    );
  }
}

export const getBuiltinModule = () => ({
  BlockList,
  isIPv4: (text: string) => !text.includes(':') && bitsOf(text) !== undefined,
  isIPv6: (text: string) => text.includes(':') && bitsOf(text) !== undefined,
});
