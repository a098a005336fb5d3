import { userAgents } from '../ops/base/user-agents.ts';

/** Addresses and key of a served stack. */
export interface ServedAddresses {
  readonly api: string;
  readonly short: string;
}

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
  headers: Readonly<Record<string, string>> = { 'User-Agent': userAgents.desktop },
): Promise<void> => {
  const answer = await fetch(`${short}${where}`, { redirect: 'manual', headers });
  if (answer.status !== 302) throw new Error(`${where}: ${answer.status}`);
};
