import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder, which is deleted with the run. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'test-'));
