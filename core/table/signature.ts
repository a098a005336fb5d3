// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHmac, createSecretKey, hash } = process.getBuiltinModule('node:crypto');

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Services that take calls as DynamoDB does. */
export type ServiceName = 'dynamodb' | 'firehose' | 'sqs';

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
  const scope = `${day}/${region}/${service}/aws4_request`;
  // In the order of their names.
  const headers: Record<string, string> = {
    'content-type': `application/x-amz-json-1.${service === 'firehose' ? 1 : 0}`,
    host,
    'x-amz-date': time,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
    'x-amz-target': target,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = `POST\n/\n\n${lines.join('')}\n${names}\n${hash('sha256', body)}`;
  const signature = createHmac('sha256', signingKey(secretAccessKey, [day, region, service]))
    .update(`${algorithm}\n${time}\n${scope}\n${hash('sha256', request)}`)
    .digest('hex');
  headers.authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
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
