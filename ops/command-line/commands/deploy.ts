import { contextValues, flag, passedOn } from '../command.ts';
import { repositoryFor } from '../repository.ts';

export const deployCommands = [
  passedOn(
    'deploy',
    {
      summary:
        'Deploy a stage, with the choices of deployments/STAGE.json: runs cdk deploy; stops first if it would remove a domain, an alias, alarmEmail, an adopted table, an existing resource or a second region in use',
      options: {
        all: flag('deploy every stack of the app'),
        context: contextValues(
          'a setting of docs/settings.md; allowDrop=true lets it remove what it would stop for; may be repeated',
        ),
      },
    },
    async (args, context) => {
      const { deploy } = repositoryFor('deploy', context.repository);
      if (!(await deploy(args, context.progress))) context.fail();
      return undefined;
    },
  ),
];
