import { type Finding, type FindingName, found, type Place } from './findings.ts';
import { parsed, type SourceFile, textOf } from './project-files.ts';
import { type Json, jsonOf, listOf, member, stringsOf } from './trees.ts';

/* The two files by which a host says which apps may open it. */

interface AssociatedApp {
  readonly id: string;
  readonly place: Place;
  /** Whether its rules let it open the app's paths. */
  readonly opens: boolean;
  readonly fingerprints: readonly string[];
  readonly fingerprintPlace: Place;
}

/** The apps of a file; undefined if it can't be read. */
export type Association = readonly AssociatedApp[] | undefined;

const answerMs = 10_000;
const mostBytes = 128 * 1024;

export const iosFile = 'apple-app-site-association';
export const androidFile = 'assetlinks.json';

const whole = (file: string): Place => ({ file, line: null });

const fault = (name: FindingName, place: Place, finding: string) => ({
  association: undefined,
  findings: [found(name, place, finding)],
});

/** Requests a file, in one request that ends after ten seconds and 128 KB. */
export const requested = async (address: string, prefix: string) => {
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) });
    const { status, headers } = response;
    const place = whole(address);
    if (status !== 200) await response.body?.cancel();
    if (status >= 300 && status < 400)
      return fault(
        'association-redirect',
        place,
        `It redirects to ${headers.get('location')}; phones don't follow.`,
      );
    if (status !== 200) return fault('association-missing', place, `The host returns ${status}.`);
    const judged = judge(address, await bytesOf(response), prefix);
    const type = headers.get('content-type') ?? 'missing';
    if (/^application\/json\s*(;|$)/i.test(type)) return judged;
    const finding = found('association-type', place, `The content type is ${type}.`);
    return { ...judged, findings: [finding, ...judged.findings] };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error & { code?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    return fault('association-missing', whole(address), `The host doesn't answer: ${reason}.`);
  }
};

/** The body; undefined if it is too large. */
const bytesOf = async ({ body }: Response): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) return undefined;
  }
  return Buffer.concat(chunks);
};

/** Reads a file of a folder. */
export const readFrom = async (file: string, prefix: string) => {
  const read = await textOf(file);
  if ('fault' in read) return fault('association-missing', whole(file), `The file ${read.fault}.`);
  const bytes = Buffer.from(read.text);
  return judge(file, bytes.length > mostBytes ? undefined : bytes, prefix);
};

const judge = (file: string, bytes: Buffer | undefined, prefix: string) => {
  if (!bytes) return fault('association-size', whole(file), 'The file is larger than 128 KB.');
  const source = { file, text: bytes.toString('utf8') };
  const document = documentOf(source);
  if ('line' in document)
    return fault('association-json', document, `The file is no JSON: ${document.reason}.`);
  const appsIn = file.endsWith(androidFile) ? androidApps : iosApps;
  return { association: appsIn(document, `${prefix}launch`), findings: [] };
};

const documentOf = (source: SourceFile): Json | (Place & { readonly reason: string }) => {
  const faults: Finding[] = [];
  const json = parsed(source, faults, () => jsonOf(source));
  try {
    JSON.parse(source.text);
    if (json) return json;
  } catch {
    // Without a line: comments, and commas at ends.
  }
  return { ...whole(source.file), ...faults[0], reason: faults[0]?.finding ?? 'comments, or commas at ends' };
};

const iosApps = ({ value, placeOf }: Json, sample: string): AssociatedApp[] =>
  listOf(member(value, 'applinks', 'details')).flatMap((detail, index) => {
    const path = ['applinks', 'details', index] as const;
    const rules = listOf(member(detail, 'components') ?? member(detail, 'paths'));
    const ids = new Set([...stringsOf(member(detail, 'appIDs')), ...stringsOf(member(detail, 'appID'))]);
    return [...ids].map((id) => ({
      id,
      place: placeOf(...path),
      opens: permits(rules, sample),
      fingerprints: [],
      fingerprintPlace: placeOf(...path),
    }));
  });

const handleUrls = 'delegate_permission/common.handle_all_urls';

const androidApps = ({ value, placeOf }: Json, sample: string): AssociatedApp[] =>
  listOf(value).flatMap((statement, index) => {
    const id = member(statement, 'target', 'package_name');
    if (typeof id !== 'string' || !stringsOf(member(statement, 'relation')).includes(handleUrls)) return [];
    const rules = member(statement, 'relation_extensions', handleUrls, 'dynamic_app_link_components');
    return {
      id,
      place: placeOf(index),
      // Without rules, the manifest decides.
      opens: rules === undefined || permits(listOf(rules), sample),
      fingerprints: stringsOf(member(statement, 'target', 'sha256_cert_fingerprints')),
      fingerprintPlace: placeOf(index, 'target', 'sha256_cert_fingerprints'),
    };
  });

/** Whether the first rule that matches a path permits it. */
const permits = (rules: readonly unknown[], path: string): boolean => {
  for (const rule of rules) {
    const [, not, pattern] = typeof rule === 'string' ? (/^(NOT )?(.*)$/.exec(rule) ?? []) : [];
    const glob = pattern ?? member(rule, '/') ?? '*';
    // The sample has neither query nor fragment.
    if (typeof glob !== 'string' || member(rule, '?') !== undefined || member(rule, '#') !== undefined)
      continue;
    if (matches(glob, path)) return not === undefined && member(rule, 'exclude') !== true;
  }
  return false;
};

const matches = (glob: string, path: string): boolean => {
  const escaped = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${escaped}$`, 's').test(path);
};
