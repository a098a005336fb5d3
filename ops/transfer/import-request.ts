import type { ImportFormat } from './formats.ts';

export interface ImportRequest {
  readonly file: string;
  /** How messages name the file if its path says nothing to the operator, such as `The file`. */
  readonly title?: string | undefined;
  readonly project: string;
  /** The file's own name, if that is not the path's. */
  readonly name?: string | undefined;
  /** By default what the file itself says. */
  readonly format?: ImportFormat | undefined;
  /** A host of the source's that counts as the project's. */
  readonly host?: string | undefined;
  /** Writes nothing; the outcomes are those that an import would have. */
  readonly dryRun?: boolean | undefined;
  /** Says of each row where it leads elsewhere than at its source. */
  readonly verify?: boolean | undefined;
  /** Takes what the operator should know of the file as a whole. */
  readonly note?: (text: string) => void;
  /** Tells nobody of the new links. */
  readonly noEvents?: boolean | undefined;
  readonly newId: () => string;
  /** Ends the import after the batch in progress. */
  readonly signal?: AbortSignal | undefined;
}
