import { crc32 } from 'node:zlib';

/** The files of a zip that stores them as they are, by its directory. */
export const filesInZip = (zip: Buffer): ReadonlyMap<string, Buffer> => {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [sum, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const [nameLength, file] = [zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const from = file + 30 + zip.readUInt16LE(file + 26);
    const content = zip.subarray(from, from + size);
    if (zip.toString('utf8', file + 30, from) !== name || crc32(content) !== sum)
      throw new Error(`The zip is damaged at ${name}`);
    files.set(name, content);
    at += 46 + nameLength;
  }
  return files;
};
