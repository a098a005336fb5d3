import { subscriptions } from '../../../core/projects/project.ts';
import { OperatorError } from '../../operator-error.ts';
import { choice, command, flag, optional, required, requiredChoice } from '../command.ts';

const library = () => import('../../projects.ts');
const id = required('ID', "the project's id");

export const projectCommands = [
  command('project create', {
    summary: 'Create a project',
    arguments: { id },
    options: {
      name: optional('TEXT', 'what people call it (default: the id)'),
      subscription: choice(subscriptions, 'whether it may create links (default: active)'),
    },
    run: async (project, { target }) => (await library()).createProject(await target(), project),
  }),
  command('project show', {
    summary: 'Show a project',
    arguments: { id },
    run: async ({ id }, { target }) => (await library()).showProject(await target(), id),
  }),
  command('project list', {
    summary: 'List all projects, with their links and clicks',
    run: async (_, { target }) => (await library()).listProjects(await target()),
  }),
  command('project subscription', {
    summary: 'Allow or forbid a project to create links',
    arguments: { id, subscription: requiredChoice(subscriptions, 'whether it may create links') },
    run: async ({ id, subscription }, { target }) =>
      (await library()).setSubscription(await target(), id, subscription),
  }),
  command('project delete', {
    summary: 'Delete a project with everything in it, for good; can be repeated after an interruption',
    arguments: { id },
    options: { yes: flag('really delete it') },
    run: async ({ id, yes }, { target, progress, fail }) => {
      if (!yes) throw new OperatorError(`This deletes the project ${id} for good: add --yes to confirm`);
      const { deleteProject } = await import('../../project-deletion.ts');
      const deleted = await deleteProject(await target(), id, progress);
      if (!deleted.complete) fail();
      return deleted;
    },
  }),
];
