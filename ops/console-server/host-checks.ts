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

type Result = Omit<HostCheck, 'name'>;
const good = (detail: string): Result => ({ result: 'good', detail });
const bad = (detail: string): Result => ({ result: 'bad', detail });
const unseen = (detail: string): Result => ({ result: 'unseen', detail });

/** Checks a host from this machine: its address, its certificate and its association files. */
export const checkHost = (
  deployment: Pick<Deployment, 'shortBase'>,
  host: string,
  timeoutMs = 8000,
): Promise<HostCheck[]> => {
  const base = new URL(deployment.shortBase);
  // A local stack serves every host on one port, by the Host header.
  const isLocal = base.protocol === 'http:';
  const asked = { host, timeoutMs, base: isLocal ? base : undefined };
  const ofLocal = unseen('A local stack has none. Deploy to see it.');
  const results = {
    DNS: isLocal ? ofLocal : dnsResult(host),
    Certificate: isLocal ? ofLocal : certificateResult(asked),
    ...Object.fromEntries(associationFiles.map((name) => [name, fileResult(name, asked)])),
  };
  return Promise.all(Object.entries(results).map(async ([name, result]) => ({ name, ...(await result) })));
};

const dnsResult = async (host: string): Promise<Result> => {
  try {
    const addresses = await lookup(host, { all: true });
    return good(addresses.map(({ address }) => address).join(', '));
  } catch {
    return bad(
      `${host} has no address. Point a CNAME (or an alias record) at the distribution's domain name.`,
    );
  }
};

interface Asked {
  readonly host: string;
  readonly timeoutMs: number;
  /** The local stack's address. */
  readonly base: URL | undefined;
}

const certificateResult = async (asked: Asked): Promise<Result> => {
  try {
    const { validTo } = await ask('/', asked);
    if (validTo === undefined) return bad('The host presents no certificate.');
    const days = Math.floor((Date.parse(validTo) - Date.now()) / 86_400_000);
    return good(`Valid for this host, for another ${days} days (until ${validTo}).`);
  } catch (error) {
    return bad(`No TLS connection: ${errorText(error)}`);
  }
};

const fileResult = async (name: string, asked: Asked): Promise<Result> => {
  try {
    const { status, headers, text } = await ask(`/.well-known/${name}`, asked);
    if (status === 404) return unseen('None: this project has no apps that open its short URLs.');
    if (status !== 200) return bad(`Status ${status} instead of 200.`);
    const type = headers['content-type'] ?? '';
    if (!type.startsWith('application/json')) return bad(`Served as ${type}, not application/json.`);
    JSON.parse(text);
    return good('Served as JSON, without a redirect.');
  } catch (error) {
    return bad(errorText(error));
  }
};

/** Follows no redirects, as iOS and Android don't. */
const ask = (path: string, { host, timeoutMs, base }: Asked): Promise<PlainResponse> =>
  plainRequest(new URL(path, base ?? `https://${host}`), {
    headers: { host },
    limits: { ms: timeoutMs, bytes: mostBytes },
  });
