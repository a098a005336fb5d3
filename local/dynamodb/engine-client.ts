import { Agent, type IncomingMessage, request } from 'node:http';

/** An error response of the engine; `name` is DynamoDB's, such as `ResourceNotFoundException`. */
export class EngineError extends Error {
  readonly status: number;

  constructor(name: string, message: string, status: number) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export interface EngineClient {
  /** One call of the DynamoDB or DynamoDB Streams API, in the JSON of the wire. */
  call<T>(operation: string, input: object): Promise<T>;
  close(): void;
}

const streamOperations = new Set(['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords']);

/**
 * The stack's own way to the engine. It speaks the wire format because stream records reach Lambda in
 * exactly that form, and because polling through the SDK costs several times the processor time. Other services of
 * the stack that speak it have their own name, such as `AmazonSQS`.
 */
export function engineClient(endpoint: string, service?: string): EngineClient {
  const agent = new Agent({ keepAlive: true });
  const call = async <T>(operation: string, input: object): Promise<T> => {
    const target = `${service ?? serviceOf(operation)}.${operation}`;
    const { status, body } = await post(endpoint, agent, target, JSON.stringify(input));
    const answer = JSON.parse(body || '{}');
    if (status !== 200) throw engineError(answer, status);
    return answer;
  };
  return { call, close: () => agent.destroy() };
}

function engineError(answer: { __type?: string; message?: string; Message?: string }, status: number) {
  const name = answer.__type?.split('#').at(-1) ?? `HTTP ${status}`;
  return new EngineError(name, answer.message ?? answer.Message ?? `The engine answered ${status}`, status);
}

const serviceOf = (operation: string) =>
  `${streamOperations.has(operation) ? 'DynamoDBStreams' : 'DynamoDB'}_20120810`;

function post(endpoint: string, agent: Agent, target: string, body: string) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const outgoing = request(endpoint, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': Buffer.byteLength(body),
        'x-amz-target': target,
        // Engines want a signature to be there and don't check it.
        'x-amz-date': '20260101T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
    });
    outgoing.once('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

async function text(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
