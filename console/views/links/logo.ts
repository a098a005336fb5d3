import { useEffect, useState } from 'preact/hooks';
import { limits } from '../../../core/base/limits.ts';
import { logoPng } from './qr-picture.ts';

const unread = 'The browser can’t read that picture. Choose a PNG, SVG or JPEG file.';

/** A picture that shows nothing else and runs nothing. Throws an Error for people. */
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

/** The picture of a data URL, once the browser has read it. */
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

/** A file as a logo's data URL; a larger one as a PNG of fewer pixels. Throws an Error for people. */
export const logoOf = async (file: File): Promise<string> => {
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(String(reader.result));
    reader.readAsDataURL(file);
  });
  const image = await imageOf(url);
  if (url.length <= limits.logo && /^data:image\/(png|jpeg|svg\+xml);/.test(url)) return url;
  for (let width = 512; ; width /= 2) {
    const made = logoPng(image, width);
    if (made.length <= limits.logo) return made;
  }
};
