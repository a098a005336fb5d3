import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { readBody } from '../../core/api/request.ts';
import { Failure, type Fault } from '../../core/base/failure.ts';
import { faultMessage } from '../../core/base/messages.ts';
import { isRecord } from '../../core/base/record.ts';
import { checkRequest, type LinkDraft, type SentLink } from '../../core/links/link-draft.ts';
import { linkDraft, linkEdit } from '../../core/links/link-schema.ts';
import { UsageError } from '../base/operator-error.ts';

/** An operator's settings of a link by field path, such as `payload.ios.bundleId`; undefined ones are omitted. */
export type LinkOptions = Readonly<Record<string, unknown>>;

/** The operator's name of a field. */
type NameOf = (path: string) => string;

const byPath: NameOf = (path) => path;

/** A reader of options, which win, and a body. It throws UsageError with every fault of the result. */
const readerOf =
  <Body extends SentLink>(schema: z.ZodType<Body>) =>
  (options: LinkOptions, body: unknown = {}, nameOf = byPath): Body => {
    if (!isRecord(body)) throw new UsageError('--file must hold a JSON object, the body of POST /links');
    let merged: unknown = body;
    for (const [path, value] of Object.entries(options))
      if (value !== undefined) merged = withValue(merged, path.split('.'), value);
    try {
      const draft = readBody(schema, merged);
      checkRequest(draft, new Date());
      return draft;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const inLines = (text: string, fault: Fault) =>
        text.replace(`${fault.field}: ${fault.message}`, () => inWords(fault, options, nameOf));
      throw new UsageError(error.faults.reduce(inLines, error.message));
    }
  };

/** A new link. */
export const newLinkOf = readerOf<LinkDraft>(linkDraft);

/** An edit: the destination may be omitted, and null clears. */
export const linkEditOf = readerOf<SentLink>(linkEdit);

/** A fault with the command line's name of its field, if an option is at fault. */
const inWords = ({ field, message }: Fault, options: LinkOptions, nameOf: NameOf): string => {
  const path = field.replace(/^tags\.\d+$/, 'tags');
  const word = options[path];
  if (word === undefined || word === null) return `${field}: ${message}`;
  const lacksScheme = message === faultMessage('notUrl') && withoutScheme.test(String(word));
  return `${nameOf(path)}${lacksScheme ? ` (did you mean 'https://${word}'?)` : ''}: ${message}`;
};

const withoutScheme = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?(?=[/?#]|$)/u;

/** A copy with a value at a path. A non-object on the way stays, and is refused later. */
const withValue = (at: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value;
  return isRecord(at) ? { ...at, [name]: withValue(at[name] ?? {}, rest, value) } : at;
};

/** A file's text without a byte order mark. Throws TypeError unless it is UTF-8. */
const utf8In = async (file: string): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));

/** The JSON value in a file; `-` is standard input. Throws UsageError if there is none. */
export const jsonIn = async (file: string, input: () => Promise<string>): Promise<unknown> => {
  const name = file === '-' ? 'Standard input' : file;
  const text = await (file === '-' ? input() : utf8In(file)).catch((error: Error) => {
    throw new UsageError(
      error instanceof TypeError ? `${name} isn't in UTF-8` : `${name} can't be read: ${error.message}`,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
};
