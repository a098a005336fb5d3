import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Finding, found } from './findings.ts';

/** A text file of the project. */
export interface SourceFile {
  /** Relative to the project's folder, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** The folder of a file, with a slash at its end; empty for the project's own. */
export const folderOf = (file: string): string => file.replace(/[^/]*$/, '');

/** The place of an offset. */
export const placeIn = ({ file, text }: SourceFile, offset: number) => ({
  file,
  line: text.slice(0, offset).split('\n').length,
});

const read =
  /(^|\/)(AndroidManifest\.xml|build\.gradle(\.kts)?|Info\.plist|project\.pbxproj|package\.json|pubspec\.yaml|capacitor\.config\.(json|ts|js)|app\.json|app\.config\.(json|[cm]?[jt]s)|[^/]+\.(entitlements|xcconfig))$/;
/** Generated folders, and bundles of other people's code. */
const skipped =
  /^(node_modules|Pods|Carthage|build|DerivedData|\..*|.*\.(xc)?framework|.*\.bundle|.*\.xcassets)$/;

const mostEntries = 100_000;
const mostFiles = 1000;
const mostBytes = 8 * 1024 * 1024;
const mostDepth = 20;

/** Reads the project's files that the check knows. Never follows symbolic links. */
export const readProject = async (folder: string) => {
  const files: SourceFile[] = [];
  const faults: Finding[] = [];
  const pending = [''];
  let entries = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const names = await readdir(path.join(folder, at), { withFileTypes: true });
    entries += names.length;
    for (const one of names) {
      const file = path.posix.join(at, one.name);
      if (one.isDirectory() && !skipped.test(one.name) && file.split('/').length < mostDepth)
        pending.push(file);
      if (!one.isFile() || !read.test(file)) continue;
      const text = await textOf(path.join(folder, file));
      if ('fault' in text) faults.push(unreadable(file, text.fault));
      else files.push({ file, text: text.text });
    }
    if (entries > mostEntries || files.length > mostFiles) {
      faults.push(unreadable(at || '.', 'lies in a project with too many files; the check stopped here'));
      break;
    }
  }
  files.sort((a, b) => (a.file < b.file ? -1 : 1));
  return { files, faults };
};

/** Reads a bounded UTF-8 file. */
export const textOf = async (
  file: string,
): Promise<{ readonly text: string } | { readonly fault: string }> => {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      if (size > mostBytes) return { fault: `is larger than ${mostBytes / 1024 / 1024} MB` };
      const bytes = await handle.readFile();
      if (bytes.subarray(0, 6).toString('latin1') === 'bplist') return { fault: 'is a binary property list' };
      // Line ends are those of XML parsers, so that offsets fit.
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, '\n') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: error instanceof TypeError ? "isn't in UTF-8" : `can't be read (${code})` };
  }
};

const unreadable = (file: string, fault: string, line: number | null = null): Finding =>
  found('unreadable', { file, line }, `The file ${fault}.`);

/** Parses a file. A fault becomes a finding, and the result undefined. */
export const parsed = <Result>(
  { file }: { readonly file: string },
  faults: Finding[],
  parse: () => Result,
): Result | undefined => {
  try {
    return parse();
  } catch (error) {
    const { line, message, location } = error as Error & {
      line?: number;
      location?: { start: { line: number } };
    };
    const [reason = ''] = message.split('\n');
    faults.push(unreadable(file, `can't be parsed: ${reason}`, line ?? location?.start.line ?? null));
    return undefined;
  }
};
