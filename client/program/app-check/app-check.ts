import { stat } from 'node:fs/promises';
import { InputError } from '../link-file.ts';
import { visible } from '../visible.ts';
import { androidFindings } from './android-findings.ts';
import { androidApps } from './android-project.ts';
import { androidFile, iosFile, readFrom, requested } from './association.ts';
import { expoApps, hasNative } from './expo-project.ts';
import { type Advice, fewest, type Wanted, withRemedies } from './findings.ts';
import { iosFindings } from './ios-findings.ts';
import { iosApps } from './ios-project.ts';
import { readProject, type SourceFile, textOf } from './project-files.ts';

export interface CheckFlags {
  readonly host: string;
  readonly pathPrefix?: string;
  readonly expoConfig?: string;
  readonly association?: string;
  readonly json?: boolean;
}

/** Checks an app's project against its host. Resolves to the exit code; throws an InputError for wrong usage. */
export const checkApp = async (folder: string, flags: CheckFlags): Promise<number> => {
  const findings = await appFindings(folder, flags);
  if (flags.json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else for (const one of findings) process.stdout.write(`${visible(lineOf(one))}\n`);
  return findings.length > 0 ? 1 : 0;
};

const lineOf = ({ file, line, name, finding, remedy }: Advice): string =>
  `${file}${line === null ? '' : `:${line}`}: ${name}: ${finding} ${remedy}`;

const hostForm = /^(?!.*\.\d+$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/;
const loopback = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

const wantedOf = ({ host, pathPrefix = '/' }: CheckFlags): Wanted => {
  const authority = host.toLowerCase();
  if (!(hostForm.test(authority) || loopback.test(authority)))
    throw new InputError(visible(`--host: ${host} isn't a host name such as go.example.com`));
  if (!/^\/([\w-]+\/)*[\w-]*$/.test(pathPrefix))
    throw new InputError(visible(`--path-prefix: ${pathPrefix} isn't a path such as /acme/`));
  return {
    host: authority.replace(/:\d+$/, ''),
    authority,
    prefix: pathPrefix.endsWith('/') ? pathPrefix : `${pathPrefix}/`,
  };
};

const mustBeFolder = async (folder: string, name: string): Promise<void> => {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new InputError(visible(`${name}: ${folder} isn't a folder`));
};

/** All findings, sorted. */
export const appFindings = async (folder: string, flags: CheckFlags): Promise<Advice[]> => {
  const wanted = wantedOf(flags);
  await mustBeFolder(folder, 'DIR');
  if (flags.association !== undefined) await mustBeFolder(flags.association, '--association');
  const { files, faults: unread } = await readProject(folder);
  const faults = [...unread];
  const expo = expoApps(files, await expoConfigOf(flags.expoConfig), faults);
  const android = androidApps(files, faults);
  const ios = iosApps(files, faults);
  const planned = (platform: 'android' | 'ios') =>
    expo.filter(
      ({ folder: at, platforms }) => platforms.includes(platform) && !hasNative(at, platform, files),
    );
  android.push(...planned('android').map((one) => one.android));
  ios.push(...planned('ios').map((one) => one.ios));
  if (android.length + ios.length + faults.length === 0)
    throw new InputError(visible(`${folder} has no app: neither an Android nor an iOS nor an Expo project`));

  const [ofAndroid, ofIos] = await Promise.all([
    associated(androidFile, wanted, flags),
    associated(iosFile, wanted, flags),
  ]);
  const all = [
    ...faults,
    ...(android.length > 0 ? ofAndroid.findings : []),
    ...(ios.length > 0 ? ofIos.findings : []),
    ...fewest(android.map((app) => androidFindings(app, wanted, ofAndroid.association))),
    ...fewest(ios.map((app) => iosFindings(app, wanted, ofIos.association))),
  ];
  return withRemedies(all, wanted);
};

const expoConfigOf = async (file: string | undefined): Promise<SourceFile | undefined> => {
  if (file === undefined) return undefined;
  const read = await textOf(file);
  if ('fault' in read) throw new InputError(visible(`--expo-config: ${file} ${read.fault}`));
  return { file, text: read.text };
};

/** A file by which the host names its apps, from the given folder or from the host. */
const associated = (name: string, { authority, prefix }: Wanted, { association }: CheckFlags) => {
  if (association !== undefined) return readFrom(`${association.replace(/(?<=.)\/+$/, '')}/${name}`, prefix);
  const scheme = loopback.test(authority) ? 'http' : 'https';
  return requested(`${scheme}://${authority}/.well-known/${name}`, prefix);
};
