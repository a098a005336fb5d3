import { eachOf } from '../core/base/each-of.ts';
import { apiClient } from '../ops/base/api-client.ts';
import type { Serving } from './serving.ts';

/** Creates links of the demo project through the API; resolves to their codes. */
export const createDemoLinks = async (
  serving: Serving,
  count: number,
  prefix = 'bench',
): Promise<string[]> => {
  const call = apiClient({ apiBaseUrl: serving.api, apiKey: serving.apiKey });
  const codes = Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  const payload = { link: 'https://example.com/landing', ios: { app_store_id: '1' } };
  await eachOf(codes, 16, async (code) => void (await call('POST', '/links', { code, payload })));
  return codes;
};
