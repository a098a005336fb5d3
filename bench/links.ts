import type { Serving } from './serving.ts';

/** Creates links of the demo project through the API; resolves to their codes. */
export const createLinks = async ({ api, apiKey }: Serving, count: number): Promise<string[]> => {
  const codes = Array.from({ length: count }, (_, i) => `bench-${i}`);
  const queue = codes.values();
  const creator = async () => {
    for (const code of queue) {
      const answer = await fetch(`${api}/1.0/links`, {
        method: 'POST',
        headers: { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          code,
          payload: { link: 'https://example.com/landing', ios: { app_store_id: '1' } },
        }),
      });
      if (answer.status !== 201) throw new Error(`Creating ${code}: ${answer.status} ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, creator));
  return codes;
};
