import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Target } from '../target/target.ts';

/** One thing about a host that was looked at. */
export interface HostCheck {
  readonly name: string;
  /** Neither good nor bad: it can't be seen from here. */
  readonly result: 'good' | 'bad' | 'unseen';
  readonly detail: string;
}

const associationFiles = ['apple-app-site-association', 'assetlinks.json'];
/** More than a function can answer: Lambda's limit is 6 MB. */
const mostBytes = 8 * 1024 * 1024;

/** Looks at a host from this machine: its address, its certificate, and the files that let apps open its links. */
export const checkHost = async (
  target: Pick<Target, 'shortBase'>,
  host: string,
  patienceMs = 8000,
): Promise<HostCheck[]> => {
  const base = new URL(target.shortBase);
  // The local stack serves every host on one port; its name says which.
  const isLocal = base.protocol === 'http:';
  const fileChecks = Promise.all(
    associationFiles.map((name) => fileCheck(name, { host, patienceMs, base: isLocal ? base : undefined })),
  );
  if (isLocal) {
    const unseen = 'A local stack has none. Deploy to see it.';
    return [
      { name: 'DNS', result: 'unseen', detail: unseen },
      { name: 'Certificate', result: 'unseen', detail: unseen },
      ...(await fileChecks),
    ];
  }
  return Promise.all([dnsCheck(host), certificateCheck({ host, patienceMs }), ...(await fileChecks)]);
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

/** A host, and how long an answer may take. */
interface Asked {
  readonly host: string;
  readonly patienceMs: number;
  /** Where the local stack is. */
  readonly base?: URL | undefined;
}

const certificateCheck = async (asked: Asked): Promise<HostCheck> => {
  const name = 'Certificate';
  try {
    const { validTo } = await ask('/', asked);
    if (validTo === undefined) return { name, result: 'bad', detail: 'The host shows no certificate.' };
    const days = Math.floor((Date.parse(validTo) - Date.now()) / 86_400_000);
    return {
      name,
      result: 'good',
      detail: `Valid for this host, for another ${days} days (until ${validTo}).`,
    };
  } catch (error) {
    return { name, result: 'bad', detail: `No connection by TLS: ${messageOf(error)}` };
  }
};

const fileCheck = async (name: string, asked: Asked): Promise<HostCheck> => {
  try {
    const { status, type, body } = await ask(`/.well-known/${name}`, asked);
    if (status === 404)
      return { name, result: 'unseen', detail: 'None: this project has no apps that open its short URLs.' };
    if (status !== 200) return { name, result: 'bad', detail: `Status ${status} in place of 200.` };
    if (!type.startsWith('application/json'))
      return { name, result: 'bad', detail: `Served as ${type}, not application/json.` };
    JSON.parse(body);
    return { name, result: 'good', detail: 'Served as JSON, without a redirect.' };
  } catch (error) {
    return { name, result: 'bad', detail: messageOf(error) };
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly validTo?: string | undefined;
}

/** Redirects are not followed: the phones' systems don't either. A host may be anybody's, so an answer has an end. */
const ask = (path: string, { host, patienceMs, base }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = base ? httpRequest : httpsRequest;
    const where = base ? { hostname: base.hostname, port: base.port } : { hostname: host, servername: host };
    const sent = request({ ...where, path, headers: { host }, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const { socket } = answer;
      const validTo =
        'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate().valid_to : undefined;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > mostBytes) fail('Longer than any file of the service.');
      });
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).toString(),
          validTo,
        }),
      );
    });
    const fail = (why: string) => {
      reject(new Error(why));
      sent.destroy();
    };
    const timer = setTimeout(() => fail(`No answer within ${patienceMs / 1000} s`), patienceMs);
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', reject);
    sent.end();
  });
