import { type Visitor, visitorOf } from './visitor.ts';

/**
 * HTTP libraries of phone apps that are taken for machines elsewhere: OkHttp, also under Retrofit and React Native,
 * and Ktor. Others (URLSession, HttpURLConnection, Dart) are taken for people anyway.
 */
const appClient = /^(?:okhttp\/\d|ktor\b)/i;

/**
 * The client of `open.json`. An app's own requests count as its user's there; a visit of a short URL by such
 * a library doesn't.
 */
export const openerOf = (userAgent: string): Visitor => {
  const visitor = visitorOf(userAgent);
  return visitor.kind === 'bot' && appClient.test(userAgent) ? { ...visitor, kind: 'person' } : visitor;
};
