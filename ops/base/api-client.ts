export interface ApiAccess {
  /** Base address, before `/1.0`. */
  readonly apiBaseUrl: string;
  readonly apiKey: string;
}

export type SendRequest = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<'id' | 'code' | 'shortUrl', string>>>;

/** Calls the API; resolves to the response's data, of which callers read these fields. Throws for a failure. */
export const apiClient =
  ({ apiBaseUrl, apiKey }: ApiAccess): SendRequest =>
  async (method, path, body, headers) => {
    const answer = await fetch(`${apiBaseUrl}/1.0${path}`, {
      method,
      headers: { 'X-API-KEY': apiKey, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text).data;
  };
