import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';

export interface PlainResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Expiry of the server's certificate. */
  readonly validTo?: string | undefined;
}

interface Given {
  readonly headers: Readonly<Record<string, string>>;
  /** Limits for an untrusted server. The request then has its own connection. */
  readonly limits?: { readonly ms: number; readonly bytes: number };
}

const plain = new Agent({ keepAlive: true });
const secure = new SecureAgent({ keepAlive: true });

/** A GET with only these headers: `fetch` can't set Host and always sends a user agent. Redirects aren't followed. */
export const plainRequest = (url: string | URL, { headers, limits }: Given): Promise<PlainResponse> =>
  new Promise((resolve, reject) => {
    const [send, pool] =
      new URL(url).protocol === 'https:' ? [secureRequest, secure] : ([request, plain] as const);
    const sent = send(url, { headers, agent: limits ? false : pool }, (answer) => {
      const certificate = (answer.socket as Partial<TLSSocket>).getPeerCertificate?.();
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (limits && bytes > limits.bytes) fail('Longer than any file of the service.');
      });
      answer.on('error', reject).on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text,
          validTo: certificate?.valid_to,
        });
      });
    });
    const fail = (why: string) => {
      reject(new Error(why));
      sent.destroy();
    };
    const timer = limits && setTimeout(() => fail(`No answer within ${limits.ms / 1000} s`), limits.ms);
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', reject).end();
  });
