import {
  type Association,
  androidPackageFault,
  appleAssociation,
  iosAppFault,
  readFingerprint,
} from '../../core/short-urls/association.ts';
import { sharedWith } from '../../core/short-urls/association-store.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { noProject } from '../projects/projects.ts';

/** The apps that should open a project's short URLs, as typed. */
export interface StatedApps {
  /** Each TEAMID.bundle. */
  readonly ios: readonly string[];
  /** Package names. */
  readonly android: readonly string[];
  /** SHA-256 fingerprints of the certificates that the Android apps are signed with. */
  readonly fingerprints: readonly string[];
}

const kilobyte = 1024;
/** The largest file in bytes that Apple accepts. */
const largestFile = 128 * kilobyte;
const largeFile = 100 * kilobyte;

/**
 * Replaces a project's associated apps. Throws OperatorError for invalid ones. Warns by `progress` if the shared host's
 * file is near Apple's limit, or has no room.
 */
export const setAssociation = async (
  { stores }: Deployment,
  { project, ...stated }: StatedApps & { readonly project: string },
  progress: (line: string) => void = () => undefined,
): Promise<Association> => {
  const association = associationOf(project, stated);
  const placed = await withPlace(stores, association, progress);
  if (!(await stores.associations.set(placed))) throw noProject(project);
  return placed;
};

/** Limits an association to the project's own hosts if the shared host's file has no room. */
const withPlace = async (
  stores: Deployment['stores'],
  association: Association,
  progress: (line: string) => void,
): Promise<Association> => {
  const known = await stores.associations.all();
  const others = known.filter(({ project }) => project !== association.project);
  const size = sharedFileSize([...others, association]);
  const kb = `${Math.ceil(size / kilobyte)} KB, and Apple takes at most 128 KB`;
  const file = "the shared host's apple-app-site-association, which names the apps of all projects";
  // Fewer apps are always allowed, even in a file that is too large.
  if (size <= largestFile || size <= sharedFileSize(known)) {
    if (size > largeFile) progress(`Take care: ${file}, has ${kb}`);
    return association;
  }
  const { host } = (await stores.projects.find(association.project)) ?? {};
  if (host === undefined)
    throw new OperatorError(
      `Not saved: ${file}, would have ${kb}. Give the project its own host ('domain assign'): its file has room`,
    );
  progress(`On the project's own hosts only: ${file}, would have ${kb}`);
  return { ...association, ownHostsOnly: true };
};

const sharedFileSize = (associations: readonly Association[]): number =>
  Buffer.byteLength(
    JSON.stringify(
      appleAssociation(
        associations.filter(({ ownHostsOnly }) => !ownHostsOnly).map((one) => sharedWith(one)),
      ),
    ),
  );

/** Throws OperatorError if there is no such project. */
export const showAssociation = async ({ stores }: Deployment, project: string): Promise<Association> => {
  const association = await stores.associations.find(project);
  if (association) return inOrder(association);
  if (!(await stores.projects.find(project))) throw noProject(project);
  return { project, ios: [], android: [] };
};

/** Removes the project's association; resolves to the removed one. */
export const removeAssociation = async ({ stores }: Deployment, project: string): Promise<Association> => {
  const association = await stores.associations.find(project);
  if (!association || !(await stores.associations.remove(project))) {
    throw new OperatorError(`The project ${project} has no associations`);
  }
  return inOrder(association);
};

/** An association with its fields in order, because the table returns them in any. */
const inOrder = ({ project, ios, android, ownHostsOnly }: Association): Association => ({
  project,
  ios,
  android: android.map(({ package: name, fingerprints }) => ({ package: name, fingerprints })),
  ...(ownHostsOnly && { ownHostsOnly }),
});

const associationOf = (project: string, { ios, android, fingerprints }: StatedApps): Association => {
  const read = fingerprints.map((text) => {
    const fingerprint = readFingerprint(text);
    if (fingerprint) return fingerprint;
    throw new UsageError(
      `'${text}' is not a SHA-256 fingerprint: use 32 pairs of hexadecimal digits, such as 14:6D:E9:…`,
    );
  });
  const fault = [...ios.map(iosAppFault), ...android.map(androidPackageFault)].find(Boolean);
  if (fault) throw new UsageError(fault);
  if (ios.length + android.length === 0) throw new UsageError('Give --ios or --android, or both');
  if (android.length > 0 !== read.length > 0) {
    throw new UsageError('--android and --sha256 go together: give both or neither');
  }
  return { project, ios, android: android.map((name) => ({ package: name, fingerprints: read })) };
};
