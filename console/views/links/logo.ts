import { useEffect, useState } from 'preact/hooks';
import { limits } from '../../../core/base/limits.ts';
import { logoPng } from './qr-picture.ts';

const unread = 'The browser can’t read that image. Choose a PNG, SVG or JPEG file.';
const slow = 'That SVG could take very long to draw. Save it as PNG, and choose that.';

/** Loads an image, which can neither load anything else nor run scripts. Throws an Error with a message for users. */
export const imageOf = async (url: string): Promise<HTMLImageElement> => {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => Promise.reject(new Error(unread)));
  return image;
};

interface Logo {
  readonly image?: HTMLImageElement;
  readonly error?: string;
}

/** The image of a data URL, once it is decoded. */
export const useLogo = (url: string | null): Logo => {
  const [{ of, ...logo }, setLogo] = useState<Logo & { of?: string | null }>({});
  useEffect(() => {
    if (url === null) return;
    imageOf(url).then(
      (image) => setLogo({ of: url, image }),
      ({ message }: Error) => setLogo({ of: url, error: message }),
    );
  }, [url]);
  return of === url ? logo : {};
};

/** Parts of an SVG that can multiply what a browser draws, and the most elements that it may have. */
const slowParts = /<(?:use|pattern|filter|marker|mask)\b|<!ENTITY/i;
const mostElements = 2000;

/** A file as a logo's data URL: a PNG, scaled down if needed. Throws an Error with a message for users. */
export const logoOf = async (file: File): Promise<string> => {
  if (file.type === 'image/svg+xml') {
    const text = await file.text();
    // A browser can't stop while it draws.
    if (slowParts.test(text) || text.split('<').length > mostElements) throw new Error(slow);
  }
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(String(reader.result));
    reader.readAsDataURL(file);
  });
  const image = await imageOf(url);
  const isSmall = url.length <= limits.logo && image.width * image.height <= limits.logoPixels;
  if (isSmall && url.startsWith('data:image/png;')) return url;
  for (let width = 512; ; width /= 2) {
    const made = logoPng(image, width);
    if (made.length <= limits.logo) return made;
  }
};
