import type { DynamoDBStreamEvent } from 'aws-lambda';
import { api } from '../../core/api/index.ts';
import { openStores } from '../../core/stores.ts';
import { forClicks } from '../../core/table/retry-policy.ts';
import type { StreamEvent } from '../../local/event-source-mapping/context.ts';
import { startEventSourceMapping } from '../../local/event-source-mapping/mapping.ts';
import { openStreamReads } from '../../local/event-source-mapping/shard-reader.ts';
import { eventSourceArn } from '../../local/event-source-mapping/stream-record.ts';
import { aProject } from '../support/builders.ts';
import type { TestTable } from '../support/engine.ts';
import { type ApiHandler, callApi, type VisitHandler, visitBy } from '../support/function-calls.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { aggregation, aMapping } from '../support/stream-mappings.ts';
import { type OutsideSweeper, outsideSweeper } from './outside-sweeper.ts';

/** Far in the future, so that an engine's own sweeper finds nothing. */
export const dawn = Date.parse('2030-01-01T00:00:00.000Z');

let services = 0;

/** Loads the entry files with their environment. Call it once: they open their clients when loaded. */
export const loadFunctions = async (db: TestTable) => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: db.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: db.resource.name,
    SHORT_BASE: 'https://go.example.com',
    SHORT_DOMAIN: 'go.example.com',
    UNIQUE_WINDOW_DAYS: '1',
    VISITOR_SECRET: 'secret',
  });
  // On a busy machine a write may take long, and no queue is here to take the click instead.
  Object.assign(forClicks, { deadlineMs: 60_000 });
  const load = async (name: string) => (await import(`../../lambdas/${name}.ts`)).handler;
  const ofApi = (name: string): Promise<ApiHandler> => load(`api/${name}`);
  return {
    createLink: await ofApi('create-link'),
    getLink: await ofApi('get-link'),
    listLinks: await ofApi('list-links'),
    updateLink: await ofApi('update-link'),
    updateLinkStatus: await ofApi('update-link-status'),
    deleteLink: await ofApi('delete-link'),
    redirect: (await load('redirect')) as VisitHandler,
    aggregate: (await load('aggregate-clicks')) as StreamFunction,
    expire: (await load('emit-events')) as StreamFunction,
  };
};

export type Functions = Awaited<ReturnType<typeof loadFunctions>>;

type StreamFunction = (event: DynamoDBStreamEvent & { shardId?: string }) => Promise<object>;

/** How long an item outlives its time to live, in milliseconds; undefined: it is never swept. */
export type SweeperDelay = number | undefined;

export interface ServiceInTime {
  /** Sets the time; the sweeper and the functions that its removals trigger run. */
  at(offsetMs: number): Promise<void>;
  call(
    operation: Exclude<keyof Functions, 'redirect' | 'aggregate' | 'expire'>,
    input?: CallInput,
  ): Promise<string>;
  visit(code: string, address?: string): Promise<string>;
  /** Resolves when the stream's functions have processed all writes. */
  settle(): Promise<void>;
  /** The items of a link. */
  items(code: string): Promise<Record<string, unknown>[]>;
}

interface CallInput {
  readonly code?: string;
  readonly body?: object;
}

export interface Followers {
  /** Removes what has expired at this time. */
  sweep(now: number): Promise<unknown>;
  /** Resolves when the stream's functions have processed all writes. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** The stream's functions, one pair for all services: each would read the stream from its beginning. */
export const startFollowers = (db: TestTable, functions: Functions): Followers => {
  const outside = db.sweep ? undefined : outsideSweeper(db);
  const followers = [
    { handler: functions.aggregate, mapping: aggregation },
    { handler: functions.expire, mapping: expiry },
  ].map(({ handler, mapping }) =>
    startEventSourceMapping({
      mapping,
      table: db.resource,
      streamArn: db.streamArn,
      endpoint: db.endpoint,
      ...(outside && { reads: outside.marked(openStreamReads(streamOf(db))) }),
      pollMs: 15,
      invoke: async (event) => ({ ok: true, payload: await handler(asLambda(event)) }),
    }),
  );
  return {
    sweep: db.sweep ?? (outside as OutsideSweeper).sweep,
    settle: async () => {
      await Promise.all(followers.map((follower) => follower.idle()));
    },
    stop: async () => {
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
};

interface Parts {
  readonly db: TestTable;
  readonly functions: Functions;
  readonly followers: Followers;
}

/** The service's functions for one project, with a clock and a sweeper that tests control. */
export const startServiceInTime = async (
  { db, functions, followers: { sweep, settle } }: Parts,
  sweeperDelay: SweeperDelay,
): Promise<ServiceInTime> => {
  services += 1;
  const project = `acme-${services}`;
  const table = openWholeTable(db.endpoint, { name: db.resource.name });
  await openStores(table).projects.create(aProject({ id: project }));
  let now = dawn;
  let requests = 0;
  return {
    at: async (offsetMs) => {
      now = dawn + offsetMs;
      if (sweeperDelay !== undefined) await sweep(now - sweeperDelay);
      await settle();
    },
    call: async (operation, { code, body } = {}) => {
      const answer = await callApi(functions[operation], {
        ...{ method: api[operation].method, path: '/links/{code}', project, body, at: now },
        params: code === undefined ? undefined : { code },
        caller: { keyId: `key-of-${project}` },
      });
      return shown(answer.status, answer.headers, JSON.stringify(answer.body));
    },
    settle,
    visit: async (code, address = '203.0.113.7') => {
      requests += 1;
      const { statusCode, headers, body } = await visitBy(functions.redirect, `/${project}/${code}`, {
        headers: {
          'x-forwarded-host': 'go.example.com',
          'cloudfront-viewer-address': `${address}:4711`,
          'cloudfront-viewer-country': 'DE',
          'x-amz-cf-id': `visit-${requests}`,
        },
        now: new Date(now),
      });
      return shown(statusCode, headers, body);
    },
    items: (code) =>
      table.query({
        KeyConditionExpression: 'PK = :link',
        ExpressionAttributeValues: { ':link': `LINK#${project}#${code}` },
        ConsistentRead: true,
      }),
  };
};

const streamOf = ({ endpoint, streamArn, resource }: TestTable) => ({
  endpoint,
  streamArn,
  sourceArn: eventSourceArn(resource, streamArn),
});

const expiry = aMapping({
  filters: [
    {
      eventName: ['REMOVE'],
      userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] },
      dynamodb: { Keys: { SK: { S: ['EXPIRY'] } } },
    },
  ],
});

const asLambda = (event: StreamEvent) => event as unknown as DynamoDBStreamEvent;

/** A response in bytes, without random and time-dependent parts. */
const shown = (status?: number, headers?: object, body?: string): string =>
  `${status} ${JSON.stringify(headers)} ${body}`
    .replaceAll(/\bacme-\d+\b/g, 'acme')
    .replaceAll(/"timestamp":"[^"]*"/g, '"timestamp":"…"')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');
