import { shellOption } from '../../base/shell-words.ts';
import { port } from '../../start/flags.ts';
import { command, read } from '../command.ts';

export const consoleCommands = [
  command('console', {
    summary: "Serve the operator's console on 127.0.0.1, until Ctrl-C",
    options: {
      port: read(
        { placeholder: 'N', description: 'port (default: 8789, or another if that is busy; 0 picks one)' },
        (text) => port('--port', text),
      ),
    },
    run: async ({ port }, { target, place, print, isJson }) => {
      const { startConsole } = await import('../../console/server.ts');
      const { name, flags } = described(place);
      const interrupted = new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
      });
      const running = await startConsole({ target: await target(), name, flags, port, portOption: '--port' });
      print(
        isJson
          ? JSON.stringify({ consoleUrl: running.address })
          : `Console  ${running.address}\n\nCtrl-C stops.`,
      );
      await interrupted;
      await running.stop();
      return undefined;
    },
  }),
];

/** What people call the target, and the flags that name it. */
const described = ({ data, stack, region }: { data: string; stack?: string; region?: string }) => {
  if (stack === undefined) {
    return { name: 'Local stack', flags: data === '.local' ? '' : shellOption('data', data) };
  }
  const options = [
    shellOption('stack', stack),
    ...(region === undefined ? [] : [shellOption('region', region)]),
  ];
  return { name: `Stack ${stack}`, flags: options.join(' ') };
};
