import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import type { UsesOf } from '../../core/functions.ts';
import { qrParameter, readShortPath, type ShortPath } from '../../core/hosts/short-address.ts';
import { qrPng } from '../../core/pages/qr-code.ts';
import { QrOptionError, readQrOptions } from '../../core/pages/qr-options.ts';
import { qrSvg } from '../../core/pages/qr-svg.ts';
import type { Granted } from '../../core/stores.ts';
import { type Abuse, hostOf, notFound, shortUrlAsked, unindexed } from './answers.ts';
import { busyJsonAnswer, orBusy } from './busy.ts';

/** Draws a short URL's QR code, which depends only on the address, not on the link. */
export const qr = ({ shortLinks }: Granted<UsesOf<'qr'>>, abuse: Abuse = {}) => {
  return orBusy(busyJsonAnswer, async (event) => {
    const path = readShortPath(event.rawPath);
    if (path?.file !== 'qr.png' && path?.file !== 'qr.svg') return notFound(abuse, event);
    const foundLink = await shortLinks.find(path, hostOf(event));
    if (!foundLink || foundLink.link.status === 'DELETED' || foundLink.link.blockedAt !== undefined)
      return notFound(abuse, event, (await shortLinks.addresses(hostOf(event))).notFound);
    try {
      return draw(path, event);
    } catch (error) {
      if (error instanceof QrOptionError) return badOptions(error.message);
      throw error;
    }
  });
};

const draw = (path: ShortPath, event: LambdaFunctionURLEvent): LambdaFunctionURLResult => {
  const options = readQrOptions(event.queryStringParameters ?? {});
  const shortUrl = `${shortUrlAsked(event, path)}?${qrParameter}`;
  const headers = {
    // Browsers may cache it for a day. The edge doesn't, so that a blocked link's code disappears at once.
    'Cache-Control': 'public, max-age=86400, s-maxage=0',
    'X-Robots-Tag': unindexed['X-Robots-Tag'],
    'X-Content-Type-Options': 'nosniff',
  };
  const isVector = path.file === 'qr.svg';
  return {
    statusCode: 200,
    headers: { ...headers, 'Content-Type': isVector ? 'image/svg+xml; charset=utf-8' : 'image/png' },
    body: isVector ? qrSvg(shortUrl, options) : qrPng(shortUrl, options).toString('base64'),
    isBase64Encoded: !isVector,
  };
};

const badOptions = (message: string): LambdaFunctionURLResult => ({
  statusCode: 400,
  headers: { ...unindexed, 'Content-Type': 'text/plain; charset=utf-8' },
  body: `${message}\n`,
});
