import { EventEmitter } from 'node:events';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { outbox } from '../base/outbox.ts';
import type { TableCall, TableResponse } from '../table-gateway/message-ports.ts';

type OnResponse = (response: IncomingMessage) => void;

/** Sends a call. Returns a function that drops its response. */
type Send = (call: Omit<TableCall, 'id'>, request: TableRequest) => () => void;

/**
 * Routes this thread's HTTP requests to the tables' address over a port. Other requests and `fetch` stay unchanged.
 * Call it before the function's code loads.
 */
export function callTablesBy(port: MessagePort, endpoint: string): void {
  // An import would load unused modules, such as WebSockets, and take as long as starting the thread.
  const http = process.getBuiltinModule('node:http');
  const send = sender(port);
  const { hostname, port: number } = new URL(endpoint);
  const request = http.request as (...given: unknown[]) => ClientRequest;
  const stand = (...given: unknown[]): ClientRequest | TableRequest => {
    const options = optionsOf(given);
    const isTables = (options.hostname ?? options.host) === hostname && String(options.port) === number;
    if (!isTables) return request(...given);
    return new TableRequest(
      options,
      send,
      given.find((one) => typeof one === 'function') as OnResponse | undefined,
    );
  };
  http.request = stand as typeof http.request;
}

function sender(port: MessagePort): Send {
  const waiting = new Map<number, TableRequest>();
  const post = outbox<TableCall>((calls) => port.postMessage(calls));
  let last = 0;
  port.on('message', (answers: TableResponse[]) => {
    for (const answer of answers) {
      const request = waiting.get(answer.id);
      waiting.delete(answer.id);
      request?.answer(answer);
    }
  });
  port.unref();
  return (call, request) => {
    const id = ++last;
    waiting.set(id, request);
    post({ id, ...call });
    return () => waiting.delete(id);
  };
}

/** Options of `http.request`, which takes an address, options or both. */
function optionsOf([first, second]: readonly unknown[]): RequestOptions {
  if (typeof first !== 'string' && !(first instanceof URL)) return first as RequestOptions;
  const { hostname, port } = new URL(first);
  return { hostname, port, ...(typeof second === 'object' ? second : {}) };
}

/** The part of ClientRequest that clients of tables use. */
class TableRequest extends EventEmitter {
  /** False, because no connection can have died. */
  readonly reusedSocket = false;
  destroyed = false;
  readonly #headers: Map<string, unknown>;
  readonly #send: Send;
  readonly #body: Buffer[] = [];
  #forget: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ headers = {} }: RequestOptions, send: Send, onResponse?: OnResponse) {
    super();
    this.#headers = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.#send = send;
    if (onResponse) this.once('response', onResponse);
  }

  setHeader(name: string, value: unknown): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#body.push(Buffer.from(chunk));
    return true;
  }

  end(chunk?: string | Uint8Array): this {
    if (this.destroyed) return this;
    const isAll = this.#body.length === 0 && typeof chunk === 'string';
    if (chunk !== undefined && !isAll) this.write(chunk);
    const call = {
      target: String(this.#headers.get('x-amz-target')),
      text: isAll ? chunk : Buffer.concat(this.#body).toString(),
      isSigned: this.#headers.has('authorization'),
    };
    this.#forget = this.#send(call, this);
    return this;
  }

  answer({ status, text }: TableResponse): void {
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    clearTimeout(this.#timer);
    const response = Object.assign(new Readable({ read: () => undefined }), { statusCode: status, headers });
    this.emit('response', response);
    response.push(text, 'utf8');
    response.push(null);
    this.emit('close');
  }

  /** Drops a late response. */
  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    clearTimeout(this.#timer);
    this.#forget();
    process.nextTick(() => {
      if (error) this.emit('error', error);
      this.emit('close');
    });
    return this;
  }

  abort(): void {
    this.destroy();
  }

  setTimeout(ms: number, onTimeout?: () => void): this {
    if (onTimeout) this.once('timeout', onTimeout);
    clearTimeout(this.#timer);
    if (ms > 0) this.#timer = setTimeout(() => this.emit('timeout'), ms);
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setSocketKeepAlive(): this {
    return this;
  }
}
