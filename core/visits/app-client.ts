import { type Visitor, visitorOf } from './visitor.ts';

/**
 * User agents of phone apps' HTTP libraries: OkHttp, including Retrofit and React Native, Ktor, HttpURLConnection,
 * URLSession and Alamofire. Servers use them as well. Dart's already counts as a person.
 */
const appClient = /^(?:okhttp\/\d|ktor\b|Dalvik\/)|\bCFNetwork\/[\d.]+ Darwin\/[\d.]+|\bAlamofire\//i;

/** The client of `open.json`. An app's HTTP library counts as a person there, but not as a visitor of a short URL. */
export const openerOf = (userAgent: string): Visitor => {
  const visitor = visitorOf(userAgent);
  return visitor.kind === 'bot' && appClient.test(userAgent) ? { ...visitor, kind: 'person' } : visitor;
};
