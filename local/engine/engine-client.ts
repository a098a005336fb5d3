import { Agent, type RequestOptions, request } from 'node:http';
import type { ServiceResponse } from '../base/json-service.ts';

/** An error response of the engine; `name` is DynamoDB's, such as `ResourceNotFoundException`. */
export class EngineError extends Error {
  readonly status: number;

  constructor(name: string, message: string, status: number) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export interface ClientOptions {
  /** As in `x-amz-target`. @default DynamoDB or its streams */
  readonly service?: string;
  /** Access key id of the calls. */
  readonly caller?: string | undefined;
}

export interface EngineClient {
  /** One call of the DynamoDB or DynamoDB Streams API, in the JSON of the wire. */
  call<T>(operation: string, input: object): Promise<T>;
  /** The same with the text of both bodies, whatever the status. `caller` is an access key id. */
  post(operation: string, body: string, caller?: string): Promise<ServiceResponse>;
  close(): void;
}

const streamOperations = new Set(['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords']);

/**
 * The stack's own client of the engine. It uses the wire format because stream records reach Lambda in that form, and
 * because polling through the SDK takes several times the processor time. Other services of the stack with this format
 * have their own name, such as `AmazonSQS`.
 */
export function engineClient(
  endpoint: string,
  { service, caller: own = 'local' }: ClientOptions = {},
): EngineClient {
  const agent = new Agent({ keepAlive: true });
  // In parts, because Node would parse an address at every call.
  const { hostname, port } = new URL(endpoint);
  const post = (operation: string, body: string, caller = own) => {
    const target = `${service ?? serviceOf(operation)}.${operation}`;
    return send({ hostname, port, agent, method: 'POST', headers: headersOf(target, body, caller) }, body);
  };
  const call = async <T>(operation: string, input: object): Promise<T> => {
    const { status, text } = await post(operation, JSON.stringify(input));
    const answer = JSON.parse(text || '{}');
    if (status !== 200) throw engineError(answer, status);
    return answer;
  };
  return { call, post, close: () => agent.destroy() };
}

function engineError(answer: { __type?: string; message?: string; Message?: string }, status: number) {
  const name = answer.__type?.split('#').at(-1) ?? `HTTP ${status}`;
  return new EngineError(name, answer.message ?? answer.Message ?? `The engine answered ${status}`, status);
}

const serviceOf = (operation: string) =>
  `${streamOperations.has(operation) ? 'DynamoDBStreams' : 'DynamoDB'}_20120810`;

const headersOf = (target: string, body: string, caller: string) => ({
  'content-type': 'application/x-amz-json-1.0',
  'content-length': Buffer.byteLength(body),
  'x-amz-target': target,
  // Engines require a signature but don't check it.
  'x-amz-date': '20260101T000000Z',
  authorization: `AWS4-HMAC-SHA256 Credential=${caller}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
});

function send(options: RequestOptions, body: string): Promise<ServiceResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ServiceResponse>();
  const outgoing = request(options);
  outgoing.once('error', reject);
  outgoing.once('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('error', reject);
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
  });
  outgoing.end(body);
  return promise;
}
