import { requireProjectId, requireProjectName } from '../../../core/projects/make-project.ts';
import { subscriptions } from '../../../core/projects/project.ts';
import { reading, UsageError } from '../../base/operator-error.ts';
import { choice, command, flag, optional, required, requiredChoice } from '../command.ts';
import { days, printChart } from './last-days.ts';

const library = () => import('../../projects/projects.ts');
const id = required('ID', "the project's id");

const readId = reading(requireProjectId);
const readName = reading(requireProjectName);

export const projectCommands = [
  command('project create', {
    summary: 'Create a project',
    arguments: { id: { ...id, read: readId } },
    options: {
      name: { ...optional('TEXT', 'its display name (default: the id)'), read: readName },
      subscription: choice(subscriptions, 'whether it may create links (default: active)'),
    },
    run: async (project, { deployment }) => (await library()).createProject(await deployment(), project),
  }),
  command('project show', {
    summary: 'Show a project',
    arguments: { id },
    run: async ({ id }, { deployment }) => (await library()).showProject(await deployment(), id),
  }),
  command('project list', {
    summary: 'List all projects, with their links and clicks',
    run: async (_, { deployment }) => (await library()).listProjects(await deployment()),
  }),
  command('project subscription', {
    summary: 'Allow or forbid a project to create links',
    arguments: { id, subscription: requiredChoice(subscriptions, 'whether it may create links') },
    run: async ({ id, subscription }, { deployment }) =>
      (await library()).setSubscription(await deployment(), id, subscription),
  }),
  command('project rename', {
    summary: "Change a project's display name; its id and short URLs are kept",
    arguments: { id },
    options: { name: { ...required('TEXT', 'its display name'), read: readName } },
    run: async ({ id, name }, { deployment }) =>
      (await library()).renameProject(await deployment(), id, name),
  }),
  command('project analytics', {
    formerVerb: 'figures',
    summary: "Show a project's clicks of the last days, its busiest links, and its visitors by group",
    arguments: { id },
    options: { days },
    run: async ({ id, days }, context) => {
      const { projectAnalytics } = await import('../../links/analytics.ts');
      return printChart(await projectAnalytics(await context.deployment(), id, { days }), context);
    },
  }),
  command('project clear-qr-style', {
    summary: "Reset the look of a project's QR codes and pages",
    arguments: { id },
    run: async ({ id }, { deployment }) => (await library()).clearQrStyle(await deployment(), id),
  }),
  command('project delete', {
    summary: 'Delete a project with everything in it permanently; can be repeated after an interruption',
    arguments: { id },
    options: { yes: flag('confirm the deletion') },
    run: async ({ id, yes }, { deployment, progress, fail }) => {
      if (!yes) throw new UsageError(`This permanently deletes the project ${id}: add --yes to confirm`);
      const { deleteProject } = await import('../../projects/project-deletion.ts');
      const deleted = await deleteProject(await deployment(), id, progress);
      if (!deleted.complete) fail();
      return deleted;
    },
  }),
];
