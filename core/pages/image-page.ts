import { escapeHtml } from './html.ts';

/**
 * A page with one image for a frame of a console, which may load from that image's host only and runs nothing. Undefined
 * unless the address begins with https.
 */
export const imagePage = (address: string | null) => {
  const url = URL.parse(address ?? '');
  if (url?.protocol !== 'https:') return undefined;
  const policy = `default-src 'none'; img-src ${url.origin}; frame-ancestors 'self'; sandbox`;
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Frame-Options': 'SAMEORIGIN',
    },
    html: `<!doctype html><html lang="en"><title>Image</title><img src="${escapeHtml(url.href)}" alt="" width="100%"></html>`,
  };
};
