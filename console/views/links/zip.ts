/** A file by its name. */
export type ZipEntry = readonly [name: string, content: Uint8Array];

const rounds = Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

const crc32 = (bytes: Uint8Array): number =>
  ~bytes.reduce((crc, byte) => (crc >>> 8) ^ (rounds[(crc ^ byte) & 255] ?? 0), -1) >>> 0;

/** Little-endian numbers: two bytes each, or four if written as `[number]`. */
const record = (...fields: readonly (number | readonly [number])[]): Uint8Array =>
  Uint8Array.from(
    fields.flatMap((field) => {
      const [value, bytes] = typeof field === 'number' ? [field, 2] : [field[0], 4];
      return Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 255);
    }),
  );

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** 1 January 1980, the format's first day, because the files have no time. */
const epoch = 0x21;
const version = 20;
const utf8Names = 0x800;

/** A zip file without compression, because pictures are already compressed. */
export const zipOf = (entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> => {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  const known: string[] = [];
  for (const [text, content] of entries) {
    // On Windows and macOS, names that differ only in case collide. Codes contain no parentheses.
    const twins = known.filter((one) => one === text.toLowerCase()).length;
    known.push(text.toLowerCase());
    const name = new TextEncoder().encode(twins > 0 ? text.replace(/(?=\.\w+$)/, ` (${twins + 1})`) : text);
    const size = [content.length] as const;
    const about = record(version, utf8Names, 0, 0, epoch, [crc32(content)], size, size, name.length, 0);
    const place = record(0, 0, 0, [0], [sizeOf(files)]);
    directory.push(record([0x02014b50], version), about, place, name);
    files.push(record([0x04034b50]), about, name, content);
  }
  const { length: count } = entries;
  const end = record([0x06054b50], 0, 0, count, count, [sizeOf(directory)], [sizeOf(files)], 0);
  const all = [...files, ...directory, end];
  const zip = new Uint8Array(sizeOf(all));
  let at = 0;
  for (const part of all) {
    zip.set(part, at);
    at += part.length;
  }
  return zip;
};
