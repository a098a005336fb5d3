import {
  type Association,
  androidPackageFault,
  iosAppFault,
  readFingerprint,
} from '../../core/short-urls/association.ts';
import type { Command, Input } from './commands.ts';
import { OperatorError } from './target.ts';

const required = ({ option }: Input): string => {
  const project = option('project');
  if (project === undefined) throw new OperatorError('--project is missing');
  return project;
};

/** Which installed apps open a project's short URLs. */
export const associationCommands: Readonly<Record<string, Command>> = {
  'association set': {
    usage: '--project ID [--ios TEAMID.bundle] [--android package --sha256 FINGERPRINT…]',
    summary: "State the apps that open a project's short URLs, in place of what was stated before",
    options: ['project', 'ios', 'android', 'sha256'],
    more: 'sha256',
    async run(input, { stores }) {
      const association = associationOf(required(input), input);
      if (!(await stores.associations.set(association))) throw noProject(association.project);
      return association;
    },
  },
  'association show': {
    usage: '--project ID',
    summary: "Show the apps that open a project's short URLs",
    options: ['project'],
    async run(input, { stores }) {
      const project = required(input);
      const association = await stores.associations.find(project);
      if (association) return association;
      if (!(await stores.projects.find(project))) throw noProject(project);
      return { project, ios: [], android: [] };
    },
  },
  'association remove': {
    usage: '--project ID',
    summary: "Let no app open a project's short URLs any more",
    options: ['project'],
    async run(input, { stores }) {
      const project = required(input);
      const association = await stores.associations.find(project);
      if (!association || !(await stores.associations.remove(project))) {
        throw new OperatorError(`The project ${project} has no associations`);
      }
      return association;
    },
  },
};

const noProject = (id: string) => new OperatorError(`There is no project ${id}`);

const associationOf = (project: string, { option }: Input): Association => {
  const ios = listOf(option('ios'));
  const android = listOf(option('android'));
  const fingerprints = listOf(option('sha256')).map((text) => {
    const fingerprint = readFingerprint(text);
    if (fingerprint) return fingerprint;
    throw new OperatorError(
      `'${text}' is no SHA-256 fingerprint: it takes 32 pairs of hexadecimal digits, such as 14:6D:E9:…`,
    );
  });
  const fault = [...ios.map(iosAppFault), ...android.map(androidPackageFault)].find(Boolean);
  if (fault) throw new OperatorError(fault);
  if (ios.length + android.length === 0) throw new OperatorError('Give --ios or --android, or both');
  if (android.length > 0 !== fingerprints.length > 0) {
    throw new OperatorError('--android and --sha256 go together: give both or neither');
  }
  return { project, ios, android: android.map((name) => ({ package: name, fingerprints })) };
};

/** Several values come in several options, or in one with commas. */
const listOf = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(',').filter((one) => one !== '')),
];
