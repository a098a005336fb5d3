import { lookup } from 'node:dns/promises';
import { errorText } from '../base/error-text.ts';
import { type PlainResponse, plainRequest } from '../base/plain-request.ts';
import type { Deployment } from '../deployment/deployment.ts';

export interface HostCheck {
  readonly name: string;
  /** `unseen` if it can't be checked from here. */
  readonly result: 'good' | 'bad' | 'unseen';
  readonly detail: string;
}

const associationFiles = ['apple-app-site-association', 'assetlinks.json'];
/** More than a function can return: Lambda's limit is 6 MB. */
const mostBytes = 8 * 1024 * 1024;

/** Checks a host from this machine: its address, its certificate and its association files. */
export const checkHost = async (
  deployment: Pick<Deployment, 'shortBase'>,
  host: string,
  timeoutMs = 8000,
): Promise<HostCheck[]> => {
  const base = new URL(deployment.shortBase);
  // A local stack serves every host on one port, by the Host header.
  const isLocal = base.protocol === 'http:';
  const fileChecks = Promise.all(
    associationFiles.map((name) => fileCheck(name, { host, timeoutMs, base: isLocal ? base : undefined })),
  );
  if (isLocal) {
    const unseen = 'A local stack has none. Deploy to see it.';
    return [
      { name: 'DNS', result: 'unseen', detail: unseen },
      { name: 'Certificate', result: 'unseen', detail: unseen },
      ...(await fileChecks),
    ];
  }
  return Promise.all([dnsCheck(host), certificateCheck({ host, timeoutMs }), ...(await fileChecks)]);
};

const dnsCheck = async (host: string): Promise<HostCheck> => {
  try {
    const addresses = await lookup(host, { all: true });
    return { name: 'DNS', result: 'good', detail: addresses.map(({ address }) => address).join(', ') };
  } catch {
    const detail = `${host} has no address. Point a CNAME (or an alias record) at the distribution's domain name.`;
    return { name: 'DNS', result: 'bad', detail };
  }
};

interface Asked {
  readonly host: string;
  readonly timeoutMs: number;
  /** The local stack's address. */
  readonly base?: URL | undefined;
}

const certificateCheck = async (asked: Asked): Promise<HostCheck> => {
  const name = 'Certificate';
  try {
    const { validTo } = await ask('/', asked);
    if (validTo === undefined) return { name, result: 'bad', detail: 'The host presents no certificate.' };
    const days = Math.floor((Date.parse(validTo) - Date.now()) / 86_400_000);
    return {
      name,
      result: 'good',
      detail: `Valid for this host, for another ${days} days (until ${validTo}).`,
    };
  } catch (error) {
    return { name, result: 'bad', detail: `No TLS connection: ${errorText(error)}` };
  }
};

const fileCheck = async (name: string, asked: Asked): Promise<HostCheck> => {
  try {
    const { status, headers, text } = await ask(`/.well-known/${name}`, asked);
    if (status === 404)
      return { name, result: 'unseen', detail: 'None: this project has no apps that open its short URLs.' };
    if (status !== 200) return { name, result: 'bad', detail: `Status ${status} instead of 200.` };
    const type = headers['content-type'] ?? '';
    if (!type.startsWith('application/json'))
      return { name, result: 'bad', detail: `Served as ${type}, not application/json.` };
    JSON.parse(text);
    return { name, result: 'good', detail: 'Served as JSON, without a redirect.' };
  } catch (error) {
    return { name, result: 'bad', detail: errorText(error) };
  }
};

/** Follows no redirects, as iOS and Android don't. */
const ask = (path: string, { host, timeoutMs, base }: Asked): Promise<PlainResponse> =>
  plainRequest(new URL(path, base ?? `https://${host}`), {
    headers: { host },
    limits: { ms: timeoutMs, bytes: mostBytes },
  });
