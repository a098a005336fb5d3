import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { Bucket } from './bucket.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Handler = (event: LambdaFunctionURLEvent) => Promise<LambdaFunctionURLResult>;

export interface FleetProps {
  readonly clock: VirtualClock;
  readonly scale: number;
  /** Concurrent executions that the account may have. */
  readonly quota: number;
  readonly provisioned: number;
  /** Starts a new environment. */
  readonly start: () => Handler;
}

/** The outcome of a request: the function's response, or Lambda's own 429 or 502. */
export type RequestOutcome =
  | { readonly kind: 'answer'; readonly statusCode: number; readonly ms: number }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'failed' };

/** Lambda's scaling: a function gets 1,000 more environments, or 10,000 more requests a second, every ten seconds. */
const environmentsPerStep = 1000;
const stepSeconds = 10;
const requestsPerEnvironment = 10;
const timeoutMs = 10_000;
/** Minimum and mean in milliseconds: of a start, and of the code's own work for a visit. */
const startMs = [250, 350] as const;
const workMs = [3, 5] as const;

/** A Lambda function: environments that answer one request at a time, and the rate at which they scale. */
export class FleetModel {
  readonly #props: FleetProps;
  readonly #idle: Handler[];
  readonly #newEnvironments: Bucket;
  readonly #newRequests: Bucket;
  /** Requests a second that Lambda has granted so far. */
  #granted: number;
  #second = 0;
  #inSecond = 0;
  #started = 0;
  #busy = 0;
  mostBusy = 0;
  requests = 0;
  /** Billed time in milliseconds. */
  billedMs = 0;

  constructor(props: FleetProps) {
    const { clock, scale, provisioned, start } = props;
    this.#props = props;
    const perSecond = environmentsPerStep / stepSeconds / scale;
    const allowance = (rate: number) => new Bucket(rate, () => clock.now, rate * stepSeconds);
    this.#newEnvironments = allowance(perSecond);
    this.#newRequests = allowance(perSecond * requestsPerEnvironment);
    this.#granted = (provisioned * requestsPerEnvironment) / scale;
    this.#idle = Array.from({ length: Math.round(provisioned / scale) }, start);
    this.#started = this.#idle.length;
  }

  async request(event: LambdaFunctionURLEvent): Promise<RequestOutcome> {
    const { clock } = this.#props;
    if (!this.#isGranted()) return { kind: 'throttled' };
    const isCold = this.#idle.length === 0;
    const handler = isCold ? this.#start() : this.#takeIdle();
    if (!handler) return { kind: 'throttled' };
    this.#busy += 1;
    this.requests += 1;
    this.mostBusy = Math.max(this.mostBusy, this.#busy);
    const begun = clock.now;
    if (isCold) await clock.after(clock.around(...startMs));
    await clock.after(clock.around(...workMs));
    const answer = await handler(event).catch(() => undefined);
    const ms = clock.now - begun;
    this.billedMs += ms;
    this.#busy -= 1;
    this.#idle.push(handler);
    if (answer === undefined || typeof answer === 'string' || ms > timeoutMs) return { kind: 'failed' };
    return { kind: 'answer', statusCode: answer.statusCode ?? 200, ms };
  }

  /** Whether Lambda takes the request. A new peak of requests a second raises the granted rate. */
  #isGranted(): boolean {
    const { clock, quota, scale } = this.#props;
    const second = Math.floor(clock.now / 1000);
    if (second !== this.#second) [this.#second, this.#inSecond] = [second, 0];
    if (this.#inSecond >= (quota * requestsPerEnvironment) / scale) return false;
    if (this.#inSecond >= this.#granted) {
      if (!this.#newRequests.take()) return false;
      this.#granted += 1;
    }
    this.#inSecond += 1;
    return true;
  }

  #start(): Handler | undefined {
    const { quota, scale, start } = this.#props;
    if (this.#started >= quota / scale || !this.#newEnvironments.take()) return undefined;
    this.#started += 1;
    return start();
  }

  /** A random idle environment: AWS documents no order. */
  #takeIdle(): Handler | undefined {
    const [taken] = this.#idle.splice(Math.floor(this.#props.clock.random() * this.#idle.length), 1);
    return taken;
  }
}
