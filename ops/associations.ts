import {
  type Association,
  androidPackageFault,
  appleAssociation,
  iosAppFault,
  readFingerprint,
} from '../core/short-urls/association.ts';
import { sharedWith } from '../core/short-urls/association-store.ts';
import { OperatorError } from './operator-error.ts';
import { noProject } from './projects.ts';
import type { Target } from './target.ts';

/** The apps that are to open a project's short URLs, as somebody typed them. */
export interface StatedApps {
  /** Each TEAMID.bundle. */
  readonly ios: readonly string[];
  /** Package names. */
  readonly android: readonly string[];
  /** SHA-256 fingerprints of the certificates that the Android apps are signed with. */
  readonly fingerprints: readonly string[];
}

const kilobyte = 1024;
/** Apple takes no larger file. */
const largestFile = 128 * kilobyte;
const largeFile = 100 * kilobyte;

/**
 * States the apps in place of what was stated before. Throws OperatorError with what is wrong. Warns by `progress` if
 * the file of the shared host, which names the apps of all projects, is about to reach Apple's limit.
 */
export const setAssociation = async (
  { stores }: Target,
  { project, ...stated }: StatedApps & { readonly project: string },
  progress: (line: string) => void = () => undefined,
): Promise<Association> => {
  const association = associationOf(project, stated);
  const others = (await stores.associations.all()).filter((one) => one.project !== project);
  const size = sharedFileSize([...others, association]);
  const says = `the shared host's apple-app-site-association, which names the apps of all projects, ${size > largestFile ? 'would have' : 'has'} ${Math.ceil(size / kilobyte)} KB, and Apple takes at most 128 KB: 'association remove' those that are no longer needed, or serve some projects by another stack`;
  // Fewer apps may always be set, also in a file that is too large already.
  if (size > largestFile && size > sharedFileSize(await stores.associations.all()))
    throw new OperatorError(`Nothing is set: ${says}`);
  if (size > largeFile) progress(`Take care: ${says}`);
  if (!(await stores.associations.set(association))) throw noProject(project);
  return association;
};

const sharedFileSize = (associations: readonly Association[]): number =>
  Buffer.byteLength(JSON.stringify(appleAssociation(associations.map((one) => sharedWith(one)))));

/** Throws OperatorError if there is no such project. */
export const showAssociation = async ({ stores }: Target, project: string): Promise<Association> => {
  const association = await stores.associations.find(project);
  if (association) return inOrder(association);
  if (!(await stores.projects.find(project))) throw noProject(project);
  return { project, ios: [], android: [] };
};

/** Lets no app open the project's short URLs any more; resolves to what was stated. */
export const removeAssociation = async ({ stores }: Target, project: string): Promise<Association> => {
  const association = await stores.associations.find(project);
  if (!association || !(await stores.associations.remove(project))) {
    throw new OperatorError(`The project ${project} has no associations`);
  }
  return inOrder(association);
};

/** The table returns fields in any order. */
const inOrder = ({ project, ios, android }: Association): Association => ({
  project,
  ios,
  android: android.map(({ package: name, fingerprints }) => ({ package: name, fingerprints })),
});

const associationOf = (project: string, { ios, android, fingerprints }: StatedApps): Association => {
  const read = fingerprints.map((text) => {
    const fingerprint = readFingerprint(text);
    if (fingerprint) return fingerprint;
    throw new OperatorError(
      `'${text}' is not a SHA-256 fingerprint: use 32 pairs of hexadecimal digits, such as 14:6D:E9:…`,
    );
  });
  const fault = [...ios.map(iosAppFault), ...android.map(androidPackageFault)].find(Boolean);
  if (fault) throw new OperatorError(fault);
  if (ios.length + android.length === 0) throw new OperatorError('Give --ios or --android, or both');
  if (android.length > 0 !== read.length > 0) {
    throw new OperatorError('--android and --sha256 go together: give both or neither');
  }
  return { project, ios, android: android.map((name) => ({ package: name, fingerprints: read })) };
};
