import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders } from '../../core/api/cors.ts';
import {
  type Contract,
  type HandlerInput,
  type Result,
  statusOf,
  timeoutSecondsOf,
} from '../../core/api/endpoint.ts';
import { readRequest } from '../../core/api/request.ts';
import { pathParameters } from '../../core/api/routes.ts';
import { strictHeaders } from '../../core/api/strict-headers.ts';
import type { Quota } from '../../core/api-keys/rate-store.ts';
import { errorOf, Failure, failureStatus } from '../../core/base/failure.ts';
import { failure } from '../../core/base/messages.ts';
import type { VisitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { idempotencyOf } from '../../core/idempotency/idempotency.ts';
import { idempotencyStore } from '../../core/idempotency/idempotency-store.ts';
import { idempotentCallOf } from '../../core/idempotency/idempotent-call.ts';
import type { Granted, Openers } from '../../core/stores.ts';
import { errorKindOf } from '../../core/table/errors.ts';
import { forClients, type RetryPolicy } from '../../core/table/retry-policy.ts';
import type { Table } from '../../core/table/table.ts';
import {
  admit,
  callerOf,
  quotaHeaders,
  quotaOf,
  requireKind,
  requireScope,
  retryAfterSeconds,
} from './admission.ts';
import { headerValues } from './header-values.ts';
import { ignoredFields } from './ignored-fields.ts';
import { readJsonBody } from './json-body.ts';
import { countFailure, logError } from './log.ts';
import { type OpenService, openService } from './open-service.ts';

type Stores<C extends Contract> = Granted<C['uses'][number]>;

/** An endpoint's behaviour: it returns a result for the parsed input and the stores that its contract declares. */
type Act<C extends Contract> = (input: HandlerInput<C>, stores: Stores<C>) => Promise<Result<C>>;

/**
 * An endpoint's handler: it parses the request by its contract, acts, and responds in the contract's shape. It opens
 * clients, so entry files call it when they are loaded.
 */
export const serve = <const C extends Contract>(
  contract: C,
  openers: Openers<C['uses'][number]>,
  act: Act<C>,
): Handler => serveMethods({ [contract.method]: endpointOf(contract, openers, act) });

type Handler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
type Respond = (event: APIGatewayProxyEvent, service: OpenService) => Promise<APIGatewayProxyResult>;

/** A handler for several endpoints, by path or method. */
export const serveMethods = (endpoints: Readonly<Record<string, Respond>>): Handler => {
  const service = openService();
  return (event) => {
    // The gateway has only these routes.
    const respond = endpoints[event.resource.replace(/^\/[^/]*/, '')] ?? endpoints[event.httpMethod];
    if (!respond) throw new Error(`There is no ${event.httpMethod} here`);
    return respond(event, service);
  };
};

/** An endpoint before it is opened. */
export const endpointOf =
  <const C extends Contract>(contract: C, openers: Openers<C['uses'][number]>, act: Act<C>): Respond =>
  async (event, service) => {
    const now = new Date(event.requestContext.requestTimeEpoch);
    let hour = { now, limit: service.hourlyLimit };
    const until = Date.now() + timeoutSecondsOf(contract) * 1000 - answerMs;
    let quota: Quota | undefined;
    try {
      const caller = callerOf(event);
      hour = { now, limit: caller.perHour ?? hour.limit };
      // First of all, so that a rejected call costs only one write and has no effect.
      quota = await admit(contract, service.counters, caller, hour);
      // The gateway uses one of several keys, without saying which.
      if (headerValues(event, 'x-api-key').length > 1) throw failure('invalidApiKey');
      const suspended = await service.reads.suspendedForCalls().catch((error) => {
        logError('The suspended projects could not be read', error);
        throw failure('unread');
      });
      if (suspended.has(caller.project)) throw failure('suspended');
      requireKind(caller, contract);
      const [validateOnly] = event.multiValueQueryStringParameters?.validateOnly ?? [];
      const validates = contract.validateOnly && validateOnly === 'true';
      const scope = validates ? contract.validateOnly?.scope : contract.scope;
      if (scope !== undefined) requireScope(caller, scope);
      const { ignored, ...parsed } = await parseRequest(contract, event);
      const table = service.tableFor(contract.idempotent === 'many' ? forMany : forClients, { until });
      const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      const call = { project: caller.project, path: contract.path, body };
      const keys = contract.idempotent && !validates ? headerValues(event, 'idempotency-key') : [];
      const idempotency = idempotencyOf(idempotencyStore(table), idempotentCallOf(call, keys), now);
      const input = { ...parsed, ...service.chosen, caller, now, quota, idempotency };
      // The schemas have checked that the parts match the contract, which types can't express.
      const result = await act(input as unknown as HandlerInput<C>, opened<C>(openers, table, service.reads));
      return succeeded(contract, event, result, {
        ...quotaHeaders(quota, hour.limit),
        ...(idempotency.isRepeated && { 'Idempotent-Replayed': 'true' }),
        ...ignoredFields(ignored),
      });
    } catch (error) {
      const failure = asFailure(error, contract, event);
      return failed(contract, failure, quotaHeaders(quota ?? quotaOf(failure, hour), hour.limit), now);
    }
  };

/** The time for a response after the deadline of table calls. */
const answerMs = 2000;

/** For bulk calls, which wait for each write while there is time. */
const forMany: RetryPolicy = { ...forClients, deadlineMs: 28_000, whileBusy: 'wait', longestPauseMs: 1000 };

/** Stores by their openers' names, a type that the compiler can't infer from entries. */
const opened = <C extends Contract>(
  openers: Openers<C['uses'][number]>,
  table: Table,
  reads: VisitorReads,
): Stores<C> => {
  const each = Object.entries<(table: Table, reads: VisitorReads) => unknown>(openers);
  return Object.fromEntries(each.map(([noun, open]) => [noun, open(table, reads)])) as Stores<C>;
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
  // Parsing drops fields that aren't in the contract; a result that doesn't match it is an internal error.
  const shown = contract.result.parse(data) as Record<string, unknown>;
  const location = contract.location && `${addressOf(event)}/${shown[contract.location]}`;
  const isFound = contract.newIf !== undefined && !(data as Record<string, unknown>)[contract.newIf];
  return answer(
    isFound ? 200 : statusOf(contract),
    { ...corsOf(contract), ...headers, ...(location && { Location: location }) },
    {
      success: true,
      data: shown,
      ...(contract.pagination && { pagination: contract.pagination.parse(pagination) }),
      ...(contract.timestamp && { timestamp: new Date().toISOString() }),
    },
  );
};

/** The request's address, with the stage if it has one. Two slashes at the start would mean a host. */
const addressOf = ({ requestContext }: APIGatewayProxyEvent): string =>
  requestContext.path.replace(/^\/{2,}/, '/').replace(/\/$/, '');

const failed = (contract: Contract, failure: Failure, quota: Record<string, string>, now: Date) => {
  const { code, message } = failure;
  const retryAfter = retryAfterSeconds(failure, now);
  const headers = {
    ...corsOf(contract),
    ...quota,
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
  return answer(failureStatus[code], headers, {
    success: false,
    error: contract.plain?.includes(code) ? message : errorOf(failure),
    ...(contract.timestamp === 'always' && { timestamp: new Date().toISOString() }),
  });
};

const corsOf = ({ publishable }: Contract) => (publishable ? corsHeaders : {});

const answer = (statusCode: number, headers: Record<string, string>, body: object) => ({
  statusCode,
  headers: { ...strictHeaders, 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** The failure that the client gets; unexpected errors become opaque ones. */
const asFailure = (error: unknown, { method }: Contract, { requestContext }: APIGatewayProxyEvent) => {
  if (error instanceof Failure) return error;
  if (errorKindOf(error) === 'busy') return failure('tooFast');
  const { project, keyId } = requestContext.authorizer ?? {};
  const request = { requestId: requestContext.requestId, project, keyId };
  logError('A request failed', error, request);
  countFailure(request);
  // An outage is temporary, so reads return 503. A write without a response may have succeeded, which 503 would deny.
  const isOutage = ['dead-connection', 'lost', 'timeout'].includes(errorKindOf(error));
  return failure(method === 'GET' && isOutage ? 'unread' : 'internal');
};
