import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Caller, Contract, Input, Result } from '../core/api/endpoint.ts';
import { readRequest } from '../core/api/request.ts';
import { pathParameters } from '../core/api/routes.ts';
import { strictHeaders } from '../core/api/strict-headers.ts';
import { Failure, failureStatus } from '../core/failure.ts';
import { failure } from '../core/messages.ts';
import type { Quota } from '../core/projects/rate-store.ts';
import { type Retry, retryOf } from '../core/retries/retry.ts';
import { shortenMemory } from '../core/short-urls/memory-times.ts';
import { takedownMemory } from '../core/short-urls/takedowns.ts';
import { allowLocalhost } from '../core/short-urls/web-address.ts';
import { type Granted, openStores } from '../core/stores.ts';
import { openTable, tableClient } from '../core/table/sdk-table.ts';
import {
  admit,
  callerOf,
  isDoubtful,
  isThrottled,
  quotaHeaders,
  quotaOf,
  requireScope,
  retryAfterSeconds,
  tooFast,
} from './admission.ts';
import { attemptOf } from './idempotency.ts';
import { readJsonBody } from './json-body.ts';
import { countFailure, logError } from './log.ts';

/** The behaviour of an endpoint: parsed input and the stores its contract declares, in; the result, out. */
type Act<C extends Contract> = (input: Input<C>, stores: Granted<C['uses'][number]>) => Promise<Result<C>>;

const client = tableClient();
const tableName = process.env.TABLE_NAME ?? '';
const shortBase = process.env.SHORT_BASE ?? '';
// Only the local stack sets these two; no template has them.
if (process.env.LOCAL_DESTINATIONS === 'allowed') allowLocalhost();
shortenMemory(process.env.LOCAL_MEMORY_MS);
const shortHosts = [URL.parse(shortBase)?.host ?? '', ...(process.env.SHORT_HOSTS ?? '').split(',')].filter(
  Boolean,
);
const takedowns = takedownMemory(openTable(client, tableName));

/** The Lambda of an endpoint: parses the request by its contract, acts, and answers in the contract's shape. */
export const serve =
  <const C extends Contract>(contract: C, act: Act<C>) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const now = new Date(event.requestContext.requestTimeEpoch);
    // Both at once: reads start, writes wait for the admission. If a refusal is likely, reads wait as well.
    const waits = isDoubtful(event, now);
    const admission = (async () => admit(contract, openTable(client, tableName), callerOf(event), now))();
    const standing = (async () => {
      refuseSecondKey(event);
      return refuseSuspended(callerOf(event));
    })();
    const clearance = { now, admission, allowed: Promise.all([admission, standing]) };
    const [admitted, stood, acted] = await Promise.allSettled([
      admission,
      standing,
      waits
        ? clearance.allowed.then(() => run(contract, act, event, clearance))
        : run(contract, act, event, clearance),
      clearance.allowed,
    ]);
    const quota = quotaHeaders(quotaOf(admitted, now));
    try {
      // A refused admission counts first, whatever else was wrong with the request.
      if (admitted.status === 'rejected') throw admitted.reason;
      if (stood.status === 'rejected') throw stood.reason;
      if (acted.status === 'rejected') throw acted.reason;
      const { result, retry } = acted.value;
      return succeeded(contract, event, result, {
        ...quota,
        ...(retry.isReplay && { 'Idempotent-Replayed': 'true' }),
      });
    } catch (error) {
      return failed(contract, asFailure(error, event), quota, now);
    }
  };

/** What a request waits for before its first effect. */
interface Clearance {
  readonly now: Date;
  readonly admission: Promise<Quota | undefined>;
  /** The admission, and that the project is not suspended. */
  readonly allowed: Promise<unknown>;
}

/** The gateway takes one of several values and doesn't say which, so a request with two keys is refused. */
const refuseSecondKey = ({ multiValueHeaders }: APIGatewayProxyEvent): void => {
  const given = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    name.toLowerCase() === 'x-api-key' ? (values ?? []) : [],
  );
  if (given.length > 1) throw failure('invalidApiKey');
};

const refuseSuspended = async ({ project }: Caller): Promise<void> => {
  if (!(await takedowns.isSuspended(project))) return;
  throw failure('suspended');
};

const run = async <C extends Contract>(
  contract: C,
  act: Act<C>,
  event: APIGatewayProxyEvent,
  { now, admission, allowed }: Clearance,
): Promise<{ readonly result: Result<C>; readonly retry: Retry }> => {
  const caller = callerOf(event);
  if (contract.scope !== undefined) requireScope(caller, contract.scope);
  const parsed = await parseRequest(contract, event);
  const stores = openStores(openTable(client, tableName, allowed));
  const retry = retryOf(stores.retries, attemptOf(contract, event, caller), now);
  const input = { ...parsed, caller, now, quota: admission, shortBase, shortHosts, retry };
  // The schemas just proved what the types can't follow: that the parts are those of this very contract.
  const result = await act(input as unknown as Input<C>, stores as Granted<C['uses'][number]>);
  return { result, retry };
};

const parseRequest = (contract: Contract, event: APIGatewayProxyEvent) =>
  readRequest(contract, {
    params: pathParameters(contract.path, event.resource, event.pathParameters),
    query: event.multiValueQueryStringParameters ?? {},
    body: () => readJsonBody(event, contract.bodyBytes),
  });

const succeeded = (
  contract: Contract,
  event: APIGatewayProxyEvent,
  result: unknown,
  headers: Record<string, string>,
): APIGatewayProxyResult => {
  const { data, pagination } = (contract.pagination ? result : { data: result }) as Record<string, unknown>;
  // Parsing drops whatever the contract doesn't promise; a result that doesn't fit it is a fault of ours.
  const shown = contract.result.parse(data) as Record<string, unknown>;
  const location = contract.location && `${addressOf(event)}/${shown[contract.location]}`;
  return answer(
    contract.status,
    { ...headers, ...(location && { Location: location }) },
    {
      success: true,
      data: shown,
      ...(contract.pagination && { pagination: contract.pagination.parse(pagination) }),
      ...(contract.timestamp && { timestamp: new Date().toISOString() }),
    },
  );
};

/** With the stage where the client's address has it. Two slashes at its start would name a host. */
const addressOf = ({ requestContext }: APIGatewayProxyEvent): string =>
  requestContext.path.replace(/^\/{2,}/, '/').replace(/\/$/, '');

const failed = (
  contract: Contract,
  failure: Failure,
  quota: Record<string, string>,
  now: Date,
): APIGatewayProxyResult => {
  const { code, message } = failure;
  const headers =
    code === 'RATE_LIMIT_EXCEEDED'
      ? { ...quota, 'Retry-After': String(retryAfterSeconds(failure, now)) }
      : quota;
  return answer(failureStatus[code], headers, {
    success: false,
    error: contract.plain?.includes(code) ? message : { code, message },
    ...(contract.timestamp === 'always' && { timestamp: new Date().toISOString() }),
  });
};

const answer = (
  statusCode: number,
  headers: Record<string, string>,
  body: object,
): APIGatewayProxyResult => ({
  statusCode,
  headers: { ...strictHeaders, 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** What the client sees: the failure itself, or for anything unexpected only that it happened. */
const asFailure = (error: unknown, { requestContext }: APIGatewayProxyEvent): Failure => {
  if (error instanceof Failure) return error;
  if (isThrottled(error)) return tooFast();
  const { project, keyId } = requestContext.authorizer ?? {};
  const request = { requestId: requestContext.requestId, project, keyId };
  logError('A request failed', error, request);
  countFailure(request);
  return failure('internal');
};
