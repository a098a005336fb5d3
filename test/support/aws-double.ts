import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AwsCall {
  /** `cloudformation`, `sts` …, as the request was signed for. */
  readonly service: string;
  readonly region: string;
  /** The operation, where the protocol names it in a header or in the body; else method and path. */
  readonly operation: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface AwsAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

export interface AwsDouble {
  readonly endpoint: string;
  readonly calls: AwsCall[];
  /** How operations are answered, by `service:operation`. */
  readonly answers: Map<string, (call: AwsCall) => AwsAnswer>;
  readonly stop: () => Promise<void>;
}

/** A scripted server in place of every AWS endpoint. It refuses unscripted calls as AWS does. */
export const startAwsDouble = async (): Promise<AwsDouble> => {
  const calls: AwsCall[] = [];
  const answers: AwsDouble['answers'] = new Map();
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    calls.push(call);
    const answer = answers.get(`${call.service}:${call.operation}`)?.(call) ?? refusal(call);
    const { status = 200, headers, body } = answer;
    const isText = typeof body === 'string';
    response
      .writeHead(status, { 'content-type': isText ? 'text/xml' : 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answers,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const readCall = async (request: IncomingMessage): Promise<AwsCall> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const { authorization = '', 'x-amz-target': target } = request.headers;
  const [, , region = '', service = ''] = authorization.match(/Credential=[^,]+/)?.[0].split('/') ?? [];
  const path = request.url ?? '/';
  const named = String(target ?? '').split('.')[1] ?? new URLSearchParams(body).get('Action');
  return {
    service,
    region,
    operation: named ?? path.match(/\/operation\/(\w+)$/)?.[1] ?? `${request.method} ${path.split('?')[0]}`,
    path,
    headers: request.headers,
    body,
  };
};

const refusal = ({ service, operation }: AwsCall): AwsAnswer => ({
  status: 400,
  body: awsError('AccessDenied', `nobody may call ${service}:${operation}`),
});

/** An error as the query protocol has it. */
export const awsError = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

/** The answer of DescribeStacks for one stack with these outputs. */
export const describedStack = (
  name: string,
  outputs: Readonly<Record<string, string>>,
  status = 'CREATE_COMPLETE',
): string => `
  <DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks>
    <member><StackName>${name}</StackName><StackStatus>${status}</StackStatus>
    <CreationTime>2026-01-01T00:00:00.000Z</CreationTime><Outputs>
    ${Object.entries(outputs)
      .map(
        ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
      )
      .join('')}
    </Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

/** The environment in which the SDK and our commands reach the double and nothing else. */
export const doubleEnvironment = ({ endpoint }: AwsDouble): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
});
