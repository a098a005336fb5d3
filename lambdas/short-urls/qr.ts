import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import type { UsesOf } from '../../core/functions.ts';
import { qrParameter, readShortPath, type ShortPath } from '../../core/hosts/short-address.ts';
import { qrPng } from '../../core/pages/qr-code.ts';
import { logoPixels } from '../../core/pages/qr-logo.ts';
import { qrSvg } from '../../core/pages/qr-svg.ts';
import { optionsOf, QrOptionError, readQrOptions, styleParameters } from '../../core/qr-styles/qr-options.ts';
import type { QrStyle } from '../../core/qr-styles/qr-style.ts';
import type { Granted } from '../../core/stores.ts';
import { busyJsonResponse, orBusy } from './busy.ts';
import { type Abuse, hostOf, notFound, shortUrlAsked, unindexed } from './responses.ts';

/**
 * Draws a short URL's QR code, in the project's style unless the query names one. Paused and expired links have codes as
 * well, because codes are printed before a campaign and outlast it: guessing codes shows that such a link exists.
 */
export const qr = ({ shortLinks }: Granted<UsesOf<'qr'>>, abuse: Abuse = {}) => {
  return orBusy(busyJsonResponse, async (event) => {
    const path = readShortPath(event.rawPath);
    if (path?.file !== 'qr.png' && path?.file !== 'qr.svg') return notFound(abuse, event);
    const foundLink = await shortLinks.find(path, hostOf(event));
    if (!foundLink || foundLink.link.status === 'DELETED' || foundLink.link.blockedAt !== undefined)
      return notFound(abuse, event, (await shortLinks.addresses(hostOf(event))).notFound);
    const query = event.queryStringParameters ?? {};
    const isNamed = styleParameters.some((name) => query[name] !== undefined);
    const style = isNamed ? undefined : await shortLinks.style(foundLink);
    const isStyled = style && Object.values(style).some((value) => value !== null);
    return drawOrRefuse(path, event, isStyled ? style : undefined);
  });
};

const drawOrRefuse = (
  path: ShortPath,
  event: LambdaFunctionURLEvent,
  style?: QrStyle,
): LambdaFunctionURLResult => {
  try {
    return draw(path, event, style);
  } catch (error) {
    if (!(error instanceof QrOptionError)) throw error;
    // The style's level may need a larger size than the query asks for.
    return style ? drawOrRefuse(path, event) : badOptions(error.message);
  }
};

const draw = (path: ShortPath, event: LambdaFunctionURLEvent, style?: QrStyle): LambdaFunctionURLResult => {
  const options = readQrOptions({ ...(style && optionsOf(style)), ...event.queryStringParameters });
  const logo = style?.logo ?? undefined;
  const shortUrl = `${shortUrlAsked(event, path)}?${qrParameter}`;
  const headers = {
    // Browsers may cache it for a day, or for minutes if the style may change. The edge doesn't, so that a blocked link's
    // code disappears at once.
    'Cache-Control': `public, max-age=${style ? 300 : 86_400}, s-maxage=0`,
    'X-Robots-Tag': unindexed['X-Robots-Tag'],
    'X-Content-Type-Options': 'nosniff',
  };
  const isVector = path.file === 'qr.svg';
  return {
    statusCode: 200,
    headers: { ...headers, 'Content-Type': isVector ? 'image/svg+xml; charset=utf-8' : 'image/png' },
    body: isVector
      ? qrSvg(shortUrl, options, logo)
      : qrPng(shortUrl, options, logo === undefined ? undefined : logoPixels(logo)).toString('base64'),
    isBase64Encoded: !isVector,
  };
};

const badOptions = (message: string): LambdaFunctionURLResult => ({
  statusCode: 400,
  headers: { ...unindexed, 'Content-Type': 'text/plain; charset=utf-8' },
  body: `${message}\n`,
});
