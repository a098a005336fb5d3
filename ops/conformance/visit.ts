import { Agent, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Gets } from './corpus.ts';

const plain = new Agent({ keepAlive: true });
const secure = new SecureAgent({ keepAlive: true });

/**
 * What a visitor with this user agent gets of a short URL; the status for whatever is neither redirect nor page. With
 * `http` itself, because `fetch` sends a user agent even where there should be none.
 */
export const follow = (url: string, userAgent: string): Promise<Gets> =>
  new Promise((resolve, reject) => {
    const [send, agent] = url.startsWith('https:') ? [secureRequest, secure] : [request, plain];
    const headers = userAgent === '' ? {} : { 'User-Agent': userAgent };
    const sent = send(url, { headers, agent }, (answer) => {
      let page = '';
      answer.setEncoding('utf8').on('data', (text) => (page += text));
      answer.on('error', reject).on('end', () => {
        const { location } = answer.headers;
        if (answer.statusCode === 302 && location !== undefined) resolve(location);
        else resolve(answer.statusCode === 200 ? pageOf(page) : `HTTP ${answer.statusCode}`);
      });
    });
    sent.on('error', reject).end();
  });

/** A preview has a title for networks; any other page is known by the ways that it offers. */
const pageOf = (html: string): Gets => {
  const [, preview] = /<meta property="og:title" content="([^"]*)">/.exec(html) ?? [];
  if (preview !== undefined) return { preview };
  const page = [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = '']) => decoded(href));
  return { page };
};

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole);
