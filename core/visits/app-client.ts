import { type Visitor, visitorOf } from './visitor.ts';

/**
 * HTTP libraries of phone apps, whatever the app's name: OkHttp, also under Retrofit and React Native, Ktor,
 * HttpURLConnection, URLSession and Alamofire. Elsewhere they may be machines. Dart's is taken for a person anyway.
 */
const appClient = /^(?:okhttp\/\d|ktor\b|Dalvik\/)|\bCFNetwork\/[\d.]+ Darwin\/[\d.]+|\bAlamofire\//i;

/**
 * The client of `open.json`. An app's own requests count as its user's there; a visit of a short URL by such
 * a library doesn't.
 */
export const openerOf = (userAgent: string): Visitor => {
  const visitor = visitorOf(userAgent);
  return visitor.kind === 'bot' && appClient.test(userAgent) ? { ...visitor, kind: 'person' } : visitor;
};
