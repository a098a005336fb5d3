import { url as inspectorUrl } from 'node:inspector';
import type { Distribution, Origin } from '../assembly/assembly.ts';
import { isRecord } from '../base/json-values.ts';
import { type FunctionUrlResponse, readFunctionUrlResult } from '../function-url/result.ts';
import type { InvocationResult } from '../lambda/runtime.ts';
import type { ViewerRequest } from './viewer.ts';

/** Two origins of which CloudFront asks the second if the first fails. */
export interface OriginGroup {
  readonly originIds: readonly [string, string];
  readonly statusCodes: readonly number[];
}

/** The statuses that can be failover criteria. */
const failoverStatuses = [400, 403, 404, 416, 500, 502, 503, 504];

/**
 * Reads the argument of `cf.createRequestOriginGroup()`, as described in the "CloudFront Developer Guide", "Helper methods
 * for origin modification". AWS documents no errors; here, the function fails.
 */
export function readOriginGroup(given: unknown, origins: Distribution['origins']): OriginGroup {
  const { originIds, failoverCriteria, ...rest } = isRecord(given) ? given : {};
  const [other] = Object.keys(rest);
  if (other !== undefined) throw new Error(`createRequestOriginGroup: ${other} isn't emulated`);
  const ids = Array.isArray(originIds) ? originIds.map(originIdOf) : [];
  const [first, second] = ids;
  if (first === undefined || second === undefined || ids.length > 2)
    throw new Error('createRequestOriginGroup needs two originIds');
  const unknown = [first, second].find((id) => !Object.hasOwn(origins, id));
  if (unknown !== undefined)
    throw new Error(`createRequestOriginGroup: the distribution has no origin ${unknown}`);
  const statusCodes = isRecord(failoverCriteria) ? failoverCriteria.statusCodes : undefined;
  if (!Array.isArray(statusCodes) || !statusCodes.every((one) => failoverStatuses.includes(one)))
    throw new Error(`createRequestOriginGroup: the statusCodes must be of ${failoverStatuses.join(', ')}`);
  return { originIds: [first, second], statusCodes: [...statusCodes] };
}

function originIdOf(member: unknown): string {
  const { originId, ...rest } = isRecord(member) ? member : {};
  const [other] = Object.keys(rest);
  if (other !== undefined) throw new Error(`createRequestOriginGroup: ${other} isn't emulated`);
  return String(originId);
}

/** An origin's response, or none. */
type OriginResponse =
  | { readonly answer: FunctionUrlResponse }
  | { readonly failure: 'no connection' | 'no response' };

/** What viewers get, and the failover criterion that a missing response meets ("Optimize high availability", same guide). */
const failures = {
  'no connection': { statusCode: 502, criterion: 503 },
  'no response': { statusCode: 504, criterion: 504 },
};

export interface OriginRequests {
  readonly origins: Distribution['origins'];
  /** The behaviour's origin, or the function's group. */
  readonly target: string | OriginGroup;
  readonly viewer: ViewerRequest;
  readonly ask: (origin: Origin) => Promise<InvocationResult>;
}

/** Asks the origin, or the group's origins in order. CloudFront fails over only for methods that change nothing. */
export async function askOrigins(requests: OriginRequests): Promise<FunctionUrlResponse> {
  const { origins, target, viewer } = requests;
  const askOne = (id: string, isOfGroup: boolean) => {
    const origin = origins[id];
    if (!origin) throw new Error(`there is no origin ${id}`);
    return responseOf(origin, isOfGroup, requests);
  };
  if (typeof target === 'string') return shown(await askOne(target, false));
  const [first, second] = target.originIds;
  const found = await askOne(first, true);
  const criterion = 'answer' in found ? found.answer.statusCode : failures[found.failure].criterion;
  const failsOver = target.statusCodes.includes(criterion) && repeatable.includes(viewer.method);
  return shown(failsOver ? await askOne(second, true) : found);
}

const repeatable = ['GET', 'HEAD', 'OPTIONS'];

function shown(found: OriginResponse): FunctionUrlResponse {
  if ('answer' in found) return found.answer;
  const { statusCode } = failures[found.failure];
  return { statusCode, headers: { 'content-type': 'text/html' }, body: Buffer.from('Error from cloudfront') };
}

/** The origin's response. There is none in time, or at all if the viewer's header plays a failure of this region. */
async function responseOf(
  origin: Origin,
  isOfGroup: boolean,
  { origins, viewer, ask }: OriginRequests,
): Promise<OriginResponse> {
  // The header means nothing without a second region.
  const canFail = !origin.isElsewhere && Object.values(origins).some(({ isElsewhere }) => isElsewhere);
  const played = canFail ? viewer.originFailure : undefined;
  if (played === 'before') return { failure: 'no connection' };
  const result = await (isOfGroup ? within(origin.readTimeoutSeconds, ask(origin)) : ask(origin));
  if (result === undefined || played === 'after') return { failure: 'no response' };
  return { answer: readFunctionUrlResult(result) };
}

/** The result, or undefined after these seconds. */
async function within<T>(seconds: number, result: Promise<T>): Promise<T | undefined> {
  // No timeout while a debugger is attached.
  if (inspectorUrl() !== undefined) return result;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, seconds * 1000, undefined);
  return Promise.race([result, promise]).finally(() => clearTimeout(timer));
}
