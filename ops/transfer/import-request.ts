import type { ImportFormat } from './formats.ts';

export interface ImportRequest {
  readonly file: string;
  /** Name of the file in messages if the operator doesn't know its path, such as `The file`. */
  readonly title?: string | undefined;
  readonly project: string;
  /** The file's own name, if that is not the path's. */
  readonly name?: string | undefined;
  /** Format; by default detected from the file. */
  readonly format?: ImportFormat | undefined;
  /** A host of the source that counts as the project's. */
  readonly host?: string | undefined;
  /** Whether to write nothing; outcomes are those of an import. */
  readonly dryRun?: boolean | undefined;
  /** Whether to report rows that lead elsewhere than at their source. */
  readonly verify?: boolean | undefined;
  /** Receives notes about the whole file. */
  readonly note?: (text: string) => void;
  /** Receives the number of the file's rows before the first outcome. */
  readonly counted?: (rows: number) => void;
  /** Whether to emit no events for new links. */
  readonly noEvents?: boolean | undefined;
  readonly newId: () => string;
  /** Ends the import after the batch in progress. */
  readonly signal?: AbortSignal | undefined;
}
