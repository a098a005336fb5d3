// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHmac, createSecretKey, hash } = process.getBuiltinModule('node:crypto');

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A request to sign. Its path must not need encoding. */
interface Unsigned {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly service: string;
}

/**
 * A request's headers with its Signature Version 4, by "Create a signed AWS API request" in the IAM User Guide.
 * Requests have no query, so canonical queries are left out.
 */
export const signed = (
  { method, path, headers: own, body, region, service }: Unsigned,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Record<string, string> => {
  const time = new Date().toISOString().replace(/\.\d+|[-:]/g, '');
  const token = sessionToken && { 'x-amz-security-token': sessionToken };
  const headers: Record<string, string> = { ...own, 'x-amz-date': time, ...token };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const request = `${method}\n${path}\n\n${lines}\n${names.join(';')}\n${hash('sha256', body)}`;
  const parts = [time.slice(0, 8), region, service, 'aws4_request'];
  const scope = parts.join('/');
  const signature = createHmac('sha256', signingKey(secretAccessKey, parts))
    .update(`${algorithm}\n${time}\n${scope}\n${hash('sha256', request)}`)
    .digest('hex');
  headers.authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return headers;
};

const algorithm = 'AWS4-HMAC-SHA256';

type SigningKey = ReturnType<typeof createSecretKey>;

let known: { readonly of: string; readonly key: SigningKey } | undefined;

/** The signing key, which is valid for a day. It is a key object because buffers take Node seven times as long. */
const signingKey = (secret: string, scope: readonly string[]): SigningKey => {
  const of = [secret, ...scope].join('/');
  if (known?.of !== of) {
    const derived = scope.reduce<Buffer>(
      (key, part) => createHmac('sha256', key).update(part).digest(),
      Buffer.from(`AWS4${secret}`),
    );
    known = { of, key: createSecretKey(derived) };
  }
  return known.key;
};
