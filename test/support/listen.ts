import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly server: Server;
  readonly port: number;
  readonly endpoint: string;
  /** Stops the server and ends open connections. */
  stop(): Promise<void>;
}

/** An HTTP server on a free port of this machine. */
export const listen = async (respond: RequestListener = () => undefined): Promise<Listening> => {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
