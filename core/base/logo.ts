import { limits } from './limits.ts';
import { pictureType } from './picture.ts';

/** Media type and data of a logo's data URL. */
const dataUrl = /^data:(image\/(?:png|jpeg));base64,([\w+/=]+)$/;

/** A logo's file and media type; undefined unless it is a PNG or JPEG picture within the limits, by its header. */
export const logoFile = (url: string) => {
  const [, type, data = ''] = url.length <= limits.logo ? (dataUrl.exec(url) ?? []) : [];
  const bytes = Buffer.from(data, 'base64');
  // Node also decodes text that browsers refuse.
  if (pictureType(bytes) !== type || bytes.toString('base64') !== data) return undefined;
  const { width, height } = (type === 'image/png' ? pngSize : jpegSize)(bytes);
  return width * height >= 1 && width * height <= limits.logoPixels ? { type, bytes } : undefined;
};

const noSize = { width: 0, height: 0 };

const pngSize = (bytes: Buffer) =>
  // With two headers, decoders could use either.
  bytes.indexOf('IHDR') === 12 && bytes.lastIndexOf('IHDR') === 12 && bytes.length >= 24
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : noSize;

/** The frame header is the first of the markers C0 to CF, except for three of other kinds. */
const jpegSize = (bytes: Buffer) => {
  // Each scan goes through the whole picture; progressive files have about ten.
  if (bytes.toString('latin1').split('\xff\xda').length > mostScans) return noSize;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
    } else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return noSize;
};

const mostScans = 50;
