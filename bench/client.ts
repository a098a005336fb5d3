/** Addresses and key of a served stack. */
export interface ServedAddresses {
  readonly api: string;
  readonly short: string;
}

export const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
export const desktop =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export type SendRequest = (
  method: string,
  where: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly id: string }>;

/** Calls the API; resolves to the response's data. A failure ends the benchmark. */
export const apiClient =
  ({ api }: ServedAddresses, apiKey: string): SendRequest =>
  async (method, where, body, headers) => {
    const answer = await fetch(`${api}/1.0${where}`, {
      method,
      headers: { 'X-API-KEY': apiKey, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: string } }).data;
  };

/** Follows a short URL up to its redirect. */
export const visit = async (
  { short }: ServedAddresses,
  where: string,
  headers: Readonly<Record<string, string>> = { 'User-Agent': desktop },
): Promise<void> => {
  const answer = await fetch(`${short}${where}`, { redirect: 'manual', headers });
  if (answer.status !== 302) throw new Error(`${where}: ${answer.status}`);
};
