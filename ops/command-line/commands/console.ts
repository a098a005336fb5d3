import { interrupted } from '../../base/end-signals.ts';
import { command, port } from '../command.ts';
import { placeFlags } from '../place-flags.ts';

export const consoleCommands = [
  command('console', {
    summary: "Serve the operator's console on 127.0.0.1, until Ctrl-C",
    options: {
      port: port('port (default: 8789, or another if that is busy; 0 picks one)'),
    },
    run: async ({ port }, { deployment, place, print, isJson }) => {
      const { startConsole } = await import('../../console-server/server.ts');
      const name = place.stack === undefined ? 'Local stack' : `Stack ${place.stack}`;
      const flags = placeFlags(place);
      const ended = interrupted();
      const running = await startConsole({
        deployment: await deployment(),
        name,
        flags,
        port,
        portOption: '--port',
      });
      print(
        isJson
          ? JSON.stringify({ consoleUrl: running.address })
          : `Console  ${running.address}\n\nCtrl-C stops.`,
      );
      await ended;
      await running.stop();
      return undefined;
    },
  }),
];
