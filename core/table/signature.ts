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

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * The headers of a call with its Signature Version 4. Source: "Create a signed AWS API request" in the IAM User
 * Guide. A call of DynamoDB is always a POST of JSON to `/`, which leaves little of it.
 */
export const signedHeaders = (
  { host, region, target, body, service = 'dynamodb' }: TableCall,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Record<string, string> => {
  const time = new Date().toISOString().replace(/\.\d+|[-:]/g, '');
  const day = time.slice(0, 8);
  // In the order of their names.
  const headers: Record<string, string> = {
    'content-type': `application/x-amz-json-1.${['dynamodb', 'sqs'].includes(service) ? 0 : 1}`,
    host,
    'x-amz-date': time,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
    'x-amz-target': target,
  };
  const request = requestOf({ method: 'POST', path: '/', headers, bodyHash: hash('sha256', body) });
  return authorized(
    headers,
    { request, scope: [day, region, service], time },
    { accessKeyId, secretAccessKey },
  );
};

/** The headers of S3's PutObject. The path has only characters that need no encoding. */
export const signedPut = (
  { host, region, path, body }: Pick<TableCall, 'host' | 'region' | 'body'> & { readonly path: string },
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Record<string, string> => {
  const time = new Date().toISOString().replace(/\.\d+|[-:]/g, '');
  const bodyHash = hash('sha256', body);
  // In the order of their names.
  const headers: Record<string, string> = {
    host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  };
  const request = requestOf({ method: 'PUT', path, headers, bodyHash });
  return authorized(
    headers,
    { request, scope: [time.slice(0, 8), region, 's3'], time },
    { accessKeyId, secretAccessKey },
  );
};

interface CanonicalRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyHash: string;
}

const namesOf = (headers: CanonicalRequest['headers']): string => Object.keys(headers).join(';');

const requestOf = ({ method, path, headers, bodyHash }: CanonicalRequest): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  return `${method}\n${path}\n\n${lines.join('')}\n${namesOf(headers)}\n${bodyHash}`;
};

interface Signed {
  readonly request: string;
  /** Day, region and service. */
  readonly scope: readonly string[];
  readonly time: string;
}

const authorized = (
  headers: Record<string, string>,
  { request, scope: parts, time }: Signed,
  { accessKeyId, secretAccessKey }: Credentials,
): Record<string, string> => {
  const scope = [...parts, 'aws4_request'].join('/');
  const signature = createHmac('sha256', signingKey(secretAccessKey, parts))
    .update(`${algorithm}\n${time}\n${scope}\n${hash('sha256', request)}`)
    .digest('hex');
  headers.authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${namesOf(headers)}, Signature=${signature}`;
  return headers;
};

type SigningKey = ReturnType<typeof createSecretKey>;

let known: { readonly of: string; readonly key: SigningKey } | undefined;

/** Good for a day; as a key object, because Node takes seven times as long with the same key in a buffer. */
const signingKey = (secret: string, scope: readonly string[]): SigningKey => {
  const of = [secret, ...scope].join('/');
  if (known?.of !== of) {
    const derived = [...scope, 'aws4_request'].reduce<Buffer>(
      (key, part) => createHmac('sha256', key).update(part).digest(),
      Buffer.from(`AWS4${secret}`),
    );
    known = { of, key: createSecretKey(derived) };
  }
  return known.key;
};
