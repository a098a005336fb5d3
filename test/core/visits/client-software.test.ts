import { browserOf, systemOf } from '../../../core/visits/client-software.ts';
import { shapeKinds } from '../../../ops/conformance/corpus.ts';

const people = shapeKinds
  .filter(({ kind }) => kind === 'person')
  .flatMap(({ platform, userAgents }) => userAgents.map((userAgent) => [platform, userAgent] as const));

test.each(people)('%s: %s has a system of its platform and a browser', (platform, userAgent) => {
  const os = systemOf(userAgent);
  if (platform === 'web') expect(['windows', 'macos', 'linux', 'chromeos', 'other']).toContain(os);
  else expect(os).toBe(platform);
});

test('nearly every browser of the corpus has a name', () => {
  const nameless = people.filter(([, userAgent]) => browserOf(userAgent) === 'other');
  expect(nameless.length / people.length).toBeLessThan(0.1);
});

const mobileSafari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test.each([
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${mobileSafari}`, 'safari', 'ios'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'safari',
    'macos',
  ],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'chrome', 'windows'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, 'chrome', 'chromeos'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0.0.0`, 'edge', 'windows'],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'samsung-internet',
    'android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'firefox', 'linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 340.0.0.0',
    'instagram',
    'ios',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0.0;]',
    'facebook',
    'android',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36 musical_ly_2023 BytedanceWebview/d8a21c6',
    'tiktok',
    'android',
  ],
  ['com.zhiliaoapp.musically/2023 (Linux; Android 14; Pixel 8) trill_2023', 'tiktok', 'android'],
  ['something else entirely', 'other', 'other'],
])('%s is %s on %s', (userAgent, browser, os) => {
  expect([browserOf(userAgent), systemOf(userAgent)]).toEqual([browser, os]);
});
