import { command, list, required } from '../command.ts';

const library = () => import('../../hosts/associations.ts');
const project = required('ID', 'the project whose short URLs the apps open');

export const associationCommands = [
  command('association set', {
    summary: "Set the apps that open a project's short URLs; replaces the earlier list",
    options: {
      project,
      ios: list('TEAMID.bundle', 'iOS apps'),
      android: list('package', 'Android apps'),
      sha256: list('FINGERPRINT', 'certificates that the Android apps are signed with'),
    },
    run: async ({ sha256: fingerprints, ...apps }, { deployment, progress }) =>
      (await library()).setAssociation(await deployment(), { ...apps, fingerprints }, progress),
  }),
  command('association show', {
    summary: "Show the apps that open a project's short URLs",
    options: { project },
    run: async ({ project }, { deployment }) =>
      (await library()).showAssociation(await deployment(), project),
  }),
  command('association remove', {
    summary: "Remove all apps from a project's short URLs",
    options: { project },
    run: async ({ project }, { deployment }) =>
      (await library()).removeAssociation(await deployment(), project),
  }),
];
