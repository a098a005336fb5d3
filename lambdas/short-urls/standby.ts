import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { queryPairs } from '../../core/base/query.ts';
import { debugParameter, readShortPath } from '../../core/hosts/short-address.ts';
import { behindSecondsOf, type Home, mostBehindSeconds } from '../../core/standby/home.ts';
import type { Granted } from '../../core/stores.ts';
import type { Transport } from '../../core/table/items.ts';
import { forVisitors, retrier } from '../../core/table/retry-policy.ts';
import { busyJsonResponse, type Handler, orBusy } from './busy.ts';
import { jsonResponse } from './responses.ts';

export interface StandbyProps extends Granted<'standby.home'> {
  /** Opens the handler, with the visitor secret. */
  readonly open: (secret: string) => Handler;
  readonly readSecret: (arn: string) => Promise<string>;
  /** The response while the second region can't serve visitors. */
  readonly busy: Handler;
}

/** Serves visitors in the second region, unless an operator has stopped it. It needs a first copy and the secret. */
export const standingIn = ({ standby, open, readSecret, busy }: StandbyProps): Handler => {
  let handler: Handler | undefined;
  return orBusy(busy, async (event) => {
    const home = await standby.home();
    if (!home) throw new Error('Nothing has been copied yet');
    if (home.stopped) return busy(event);
    handler ??= open(await readSecret(home.secretArn));
    return event.rawPath === statePath ? stateResponse(home, event) : handler(event);
  });
};

/** Reads a secret's value. */
export const secretReader =
  (connect: () => Transport<string>) =>
  async (arn: string): Promise<string> => {
    const send = connect();
    const repeat = retrier({ policy: forVisitors });
    const { SecretString } = await repeat((attempt) =>
      send({ action: 'GetSecretValue', input: { SecretId: arn }, ...attempt }),
    );
    return String(SecretString);
  };

/** Whether a visit needs more than the second region has: the debug page, QR codes and apps' requests. */
export const isOnlyAtHome = (event: LambdaFunctionURLEvent): boolean =>
  queryPairs(event.rawQueryString).includes(debugParameter) ||
  readShortPath(event.rawPath)?.file !== undefined;

const statePath = '/.well-known/standby';

/** Whether the second region could serve visitors now, for health checks. */
const stateResponse = (home: Home, event: LambdaFunctionURLEvent) => {
  const behindSeconds = behindSecondsOf(home, event.requestContext.timeEpoch);
  return behindSeconds <= mostBehindSeconds
    ? jsonResponse(200, JSON.stringify({ behindSeconds }))
    : busyJsonResponse(event);
};
