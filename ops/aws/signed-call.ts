import { signed } from '../../core/table/signature.ts';

interface SignedCall {
  readonly service: string;
  readonly region: string;
  /** Host of the service, unless the environment overrides it. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const timeoutMs = 10_000;

/** Calls a service without an SDK client. Throws the service's own message. */
export const signedCall = async (call: SignedCall): Promise<string> => {
  const { service, region, host, headers: own, body } = call;
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const credentials = await new DynamoDBClient({ region }).config.credentials();
  const { env } = process;
  const url = new URL(
    env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] || env.AWS_ENDPOINT_URL || `https://${host}`,
  );
  const toSign = { ...own, host: url.host };
  const headers = signed({ method: 'POST', path: '/', headers: toSign, body, region, service }, credentials);
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(`${service}: ${text.slice(0, 300)}`);
};
