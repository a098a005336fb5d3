// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHmac, createSecretKey, hash } = process.getBuiltinModule('node:crypto');

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Services that take calls as DynamoDB does. */
export type ServiceName = 'dynamodb' | 'events' | 'firehose' | 's3' | 'secretsmanager' | 'sqs';

/** A call of the DynamoDB API, or of another service that takes calls as DynamoDB does. */
export interface TableCall {
  readonly host: string;
  readonly region: string;
  /** Such as `DynamoDB_20120810.GetItem`. */
  readonly target: string;
  readonly body: string;
  /** @default dynamodb */
  readonly service?: ServiceName;
}

/**
 * The headers of a call with its Signature Version 4. Source: "Create a signed AWS API request" in the IAM User
 * Guide. A call of DynamoDB is always a POST of JSON to `/`, which leaves little of it.
 */
export const signedHeaders = (
  { host, region, target, body, service = 'dynamodb' }: TableCall,
  credentials: Credentials,
): Record<string, string> => {
  const type = `application/x-amz-json-1.${['dynamodb', 'sqs'].includes(service) ? 0 : 1}`;
  const headers = { 'content-type': type, host, 'x-amz-target': target };
  return signed({ method: 'POST', path: '/', headers, body, scope: [region, service] }, credentials);
};

/** The headers of S3's PutObject. The path has only characters that need no encoding. */
export const signedPut = (
  { host, region, path, body }: Pick<TableCall, 'host' | 'region' | 'body'> & { readonly path: string },
  credentials: Credentials,
): Record<string, string> => {
  const headers = { host, 'x-amz-content-sha256': hash('sha256', body) };
  return signed({ method: 'PUT', path, headers, body, scope: [region, 's3'] }, credentials);
};

interface Unsigned {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly scope: readonly [region: string, service: ServiceName];
}

const signed = (
  { method, path, headers: own, body, scope: ofService }: Unsigned,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Record<string, string> => {
  const time = new Date().toISOString().replace(/\.\d+|[-:]/g, '');
  const token = sessionToken && { 'x-amz-security-token': sessionToken };
  const headers: Record<string, string> = { ...own, 'x-amz-date': time, ...token };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const request = `${method}\n${path}\n\n${lines}\n${names.join(';')}\n${hash('sha256', body)}`;
  const parts = [time.slice(0, 8), ...ofService, 'aws4_request'];
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

/** Good for a day; as a key object, because Node takes seven times as long with the same key in a buffer. */
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
