import { plainRequest } from '../base/plain-request.ts';
import type { Gets } from './corpus.ts';

/** A visitor's result for a short URL; the status if it is neither redirect nor page. */
export const follow = async (url: string, userAgent: string): Promise<Gets> => {
  const headers: Record<string, string> = userAgent === '' ? {} : { 'User-Agent': userAgent };
  const { status, headers: answered, text } = await plainRequest(url, { headers });
  if (status === 302 && answered.location !== undefined) return answered.location;
  return status === 200 ? pageOf(text) : `HTTP ${status}`;
};

/** The result of a page: the title of a preview, or the links of any other page. */
const pageOf = (html: string): Gets => {
  const [, preview] = /<meta property="og:title" content="([^"]*)">/.exec(html) ?? [];
  if (preview !== undefined) return { preview };
  const page = [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = '']) => decoded(href));
  return { page };
};

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole);
