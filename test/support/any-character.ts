import * as fc from 'fast-check';

const surrogates = 0x800;
const firstSurrogate = 0xd800;

/** Any code point, like fast-check's unit `binary`, without its map of a million entries in each file. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - surrogates).map(
  (place) => String.fromCodePoint(place < firstSurrogate ? place : place + surrogates),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('Not one character');
    return point < firstSurrogate ? point : point - surrogates;
  },
);
