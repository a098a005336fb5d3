import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { Failure } from '../../core/base/failure.ts';
import { withoutDirections } from '../../core/base/shown-text.ts';
import { schemaFault } from '../../core/fields/schema-faults.ts';
import { errorText } from '../base/error-text.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { CallContext } from './call.ts';
import { calls } from './calls.ts';
import type { TransferProgress } from './progress.ts';

/** Enough for an import file of 100,000 links. */
const bodyBytes = 128 * 1024 * 1024;
const progressEveryMs = 200;

/** An invalid request by the page. */
class BadCall extends Error {}

interface Exchange extends Omit<CallContext, 'now' | 'progress' | 'signal'> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Responds to `POST /api/NAME` with lines of JSON: `{progress}` repeatedly during long work, and finally `{data}` or
 * `{error}`. The first line sends the status, so an error after progress has status 200.
 */
export const answerCall = async (name: string, { request, response, ...subject }: Exchange) => {
  const one = Object.hasOwn(calls, name) ? calls[name as keyof typeof calls] : undefined;
  const write = (status: number, line: object) => {
    if (!response.headersSent) response.writeHead(status, { 'Content-Type': 'application/x-ndjson' });
    response.write(`${JSON.stringify(line, one?.isFile ? undefined : asShown)}\n`);
  };
  const gone = new AbortController();
  response.on('close', () => response.writableFinished || gone.abort());
  let reportedAt = 0;
  const progress = (progress: TransferProgress) => {
    if (Date.now() - reportedAt < progressEveryMs) return;
    reportedAt = Date.now();
    write(200, { progress });
  };
  try {
    if (!one) throw new BadCall(`There is no call ${name}`);
    const input: unknown = one.input.parse(await bodyOf(request), { error: schemaFault });
    const data = await one.run(input as never, {
      ...subject,
      now: new Date(),
      progress,
      signal: gone.signal,
    });
    write(200, { data });
  } catch (error) {
    const { status, ...shown } = faultOf(error);
    write(status, { error: shown });
  }
  response.end();
};

const asShown = (_: string, value: unknown) => (typeof value === 'string' ? withoutDirections(value) : value);

/** The error as the page gets it, with its status and its fields' faults. */
const faultOf = (error: unknown) => {
  if (error instanceof z.ZodError) {
    const faults = error.issues.map(({ path, message }) => ({ field: fieldOf(path), message }));
    const message = faults.map((fault) => `${fault.field || 'The call'}: ${fault.message}`).join('; ');
    return { status: 400, message, faults };
  }
  if (error instanceof Failure || error instanceof OperatorError)
    return { status: 400, message: error.message, faults: error.faults };
  if (error instanceof BadCall) return { status: 400, message: error.message };
  console.error(error);
  return { status: 500, message: `The call failed: ${errorText(error)}` };
};

/** The API's name for a field. Calls nest the API's bodies under `link` and `app`. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  (path.length > 1 && (path[0] === 'link' || path[0] === 'app') ? path.slice(1) : path).join('.');

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new BadCall('A call takes JSON');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > bodyBytes) throw new BadCall(`A call takes ${bodyBytes / 1024 / 1024} MB at most`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new BadCall('A call takes JSON in UTF-8');
  }
};
