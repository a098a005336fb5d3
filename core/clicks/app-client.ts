import { type Visitor, visitorOf } from './visitor.ts';

/**
 * HTTP libraries of phone apps that are taken for machines elsewhere: OkHttp, also under Retrofit and React Native,
 * and Ktor. Others (URLSession, HttpURLConnection, Dart) are taken for people anyway.
 */
const appClient = /^(?:okhttp\/\d|ktor\b)/i;

/** Who asks for `open.json`. There an app's own requests are its user's; a visit of a short URL by such a library is not. */
export const openerOf = (userAgent: string): Visitor => {
  const visitor = visitorOf(userAgent);
  return visitor.kind === 'bot' && appClient.test(userAgent) ? { ...visitor, kind: 'person' } : visitor;
};
