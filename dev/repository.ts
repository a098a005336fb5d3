import type { Repository } from '../ops/command-line/repository.ts';

/** What `dls` runs from this repository; loaded when it runs, so that help is fast. */
export const repository: Repository = {
  start: async (options, output) => {
    const { runLocalStack } = await import('./start.ts');
    await runLocalStack(options, output);
  },
  deploy: async (args, progress) => {
    const { deploy } = await import('./deploy/deploy.ts');
    return deploy(args, progress);
  },
};
