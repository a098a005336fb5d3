import { openerOf } from '../../../core/visits/app-client.ts';
import { visitorOf } from '../../../core/visits/visitor.ts';

test.each([
  'Shop/7 CFNetwork/1568.200.51 Darwin/24.1.0',
  'Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9 Build/AP4A.250205.002)',
  'okhttp/4.12.0',
  'Dart/3.5 (dart:io)',
  'ktor-client',
  'Shop/3.2 (Android 15)',
])('%s is an app', (userAgent) => {
  expect(openerOf(userAgent).kind).toBe('person');
});

test.each(['curl/8.5.0', 'Googlebot/2.1 okhttp/4', 'facebookexternalhit/1.1', 'python-requests/2.31.0', ''])(
  '%j keeps its usual kind',
  (userAgent) => {
    expect(openerOf(userAgent)).toEqual(visitorOf(userAgent));
    expect(openerOf(userAgent).kind).not.toBe('person');
  },
);
