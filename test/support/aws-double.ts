import type { IncomingMessage } from 'node:http';
import { listen } from './listen.ts';
import { ofEachTest } from './of-file.ts';

export interface AwsCall {
  /** `cloudformation`, `sts` …, as the request was signed for. */
  readonly service: string;
  readonly region: string;
  /** The operation, if a header or the body names it; else method and path. */
  readonly operation: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface AwsResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

export interface AwsDouble {
  readonly endpoint: string;
  readonly calls: AwsCall[];
  /** Responses by `service:operation`. */
  readonly answers: Map<string, (call: AwsCall) => AwsResponse>;
  readonly stop: () => Promise<void>;
}

/** A scripted server that replaces every AWS endpoint. It refuses unscripted calls as AWS does. */
const startAwsDouble = async (): Promise<AwsDouble> => {
  const calls: AwsCall[] = [];
  const answers: AwsDouble['answers'] = new Map();
  const { endpoint, stop } = await listen(async (request, response) => {
    const call = await readCall(request);
    calls.push(call);
    const answer = asAwsDoes(call, answers.get(`${call.service}:${call.operation}`)?.(call) ?? refusal(call));
    const { status = 200, headers, body } = answer;
    const isText = typeof body === 'string';
    response
      .writeHead(status, { 'content-type': isText ? 'text/xml' : 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body));
  });
  return {
    endpoint,
    calls,
    answers,
    stop,
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

const refusal = ({ service, operation }: AwsCall): AwsResponse => ({
  status: 400,
  body: awsError('AccessDenied', `nobody may call ${service}:${operation}`),
});

/** AWS's limits of items in one response. */
const mostInAnswer: Readonly<Record<string, readonly [what: RegExp, number]>> = {
  'cloudformation:DescribeStackResources': [/<LogicalResourceId>/g, 100],
  'cloudformation:ListStackResources': [/<LogicalResourceId>/g, 100],
  'monitoring:DescribeAlarms': [/"AlarmName":/g, 100],
};

/** Throws if a script exceeds AWS's limits, which would hide missing pagination. */
const asAwsDoes = (call: AwsCall, answer: AwsResponse): AwsResponse => {
  const name = `${call.service}:${call.operation}`;
  const [what, most] = mostInAnswer[name] ?? [/(?!)/g, 0];
  const given = (typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)).match(what);
  if ((given?.length ?? 0) <= most) return answer;
  return { status: 500, body: awsError('ScriptedTooMuch', `${name} gives at most ${most} in one answer`) };
};

/** A stack's resources by their logical ids, as CloudFormation gives them: the first hundred, or pages of a hundred. */
export const answerResources = (
  { answers }: AwsDouble,
  resources: Readonly<Record<string, { readonly type: string; readonly physical: string }>>,
): void => {
  const members = Object.entries(resources).map(
    ([logical, { type, physical }]) =>
      `<member><LogicalResourceId>${logical}</LogicalResourceId><PhysicalResourceId>${physical}</PhysicalResourceId>
       <ResourceType>${type}</ResourceType><ResourceStatus>CREATE_COMPLETE</ResourceStatus>
       <LastUpdatedTimestamp>2026-01-01T00:00:00Z</LastUpdatedTimestamp></member>`,
  );
  const page = (start: number) => members.slice(start, start + 100).join('');
  answers.set('cloudformation:DescribeStackResources', () => ({
    body: `<DescribeStackResourcesResponse><DescribeStackResourcesResult><StackResources>${page(0)}</StackResources>
      </DescribeStackResourcesResult></DescribeStackResourcesResponse>`,
  }));
  answers.set('cloudformation:ListStackResources', ({ body }) => {
    const start = Number(new URLSearchParams(body).get('NextToken') ?? 0);
    const next = start + 100 < members.length ? `<NextToken>${start + 100}</NextToken>` : '';
    return {
      body: `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${page(start)}
        </StackResourceSummaries>${next}</ListStackResourcesResult></ListStackResourcesResponse>`,
    };
  });
};

/** A table with two projects. 1.0.0 counted the first, which may have been settled since. */
export const answerProjects = (
  { answers }: AwsDouble,
  { isSettled }: { readonly isSettled: boolean },
): void => {
  const item = (id: string, fields: object) => ({ PK: { S: id }, SK: { S: 'x' }, ...fields });
  const project = (id: string) =>
    item(id, { id: { S: id }, name: { S: id }, subscription: { S: 'active' }, createdAt: { S: 'x' } });
  answers.set('dynamodb:Query', () => ({ body: { Items: [project('one'), project('other')] } }));
  answers.set('dynamodb:BatchGetItem', ({ body }) => {
    const [table = ''] = Object.keys(JSON.parse(body).RequestItems);
    const analytics = [item('SERIES#one', isSettled ? {} : { q: { L: [] } })];
    return { body: { Responses: { [table]: analytics } } };
  });
};

/** An error in the query protocol. */
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

/** The environment in which the SDK and our commands reach only the double. */
const doubleEnvironment = ({ endpoint }: AwsDouble): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
});

/** A double for each test, in whose environment the SDK and our commands reach nothing else. */
export const eachAwsDouble = (): AwsDouble => {
  const before = { ...process.env };
  const aws = ofEachTest(async () => {
    const double = await startAwsDouble();
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    Object.assign(process.env, doubleEnvironment(double));
    return double;
  });
  afterEach(async () => {
    process.env = { ...before };
    await aws.stop();
  });
  return aws;
};

/** A topic's answer with so many subscriptions. */
export const topicWith = (confirmed: number, pending: number) => (): AwsResponse => ({
  body: `<GetTopicAttributesResponse><GetTopicAttributesResult><Attributes>
    <entry><key>SubscriptionsPending</key><value>${pending}</value></entry>
    <entry><key>SubscriptionsConfirmed</key><value>${confirmed}</value></entry>
    </Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>`,
});
