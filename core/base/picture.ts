/** The media type of a picture, by its first bytes; undefined for anything but PNG, JPEG and SVG. */
export const pictureType = (bytes: Uint8Array): PictureType | undefined => {
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return /^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!--|!DOCTYPE svg)/i.test(start) ? 'image/svg+xml' : undefined;
};

type PictureType = 'image/png' | 'image/jpeg' | 'image/svg+xml';
