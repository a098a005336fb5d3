import { addressedResources, readTemplate } from './assembly/template.ts';
import { type HttpServer, listen } from './base/http-server.ts';

/** Servers by the logical id of their API or distribution. */
export type Servers = ReadonlyMap<string, HttpServer>;

export interface AddressOptions {
  /** Port of the first REST API; further ones get a free port. 0 picks a free port. */
  readonly apiPort: number;
  /** Port of the first distribution. */
  readonly distributionPort: number;
  /** How a user chooses these ports, for the message when one is taken. */
  readonly portOptions?: { readonly api: string; readonly distribution: string };
}

/** The addresses of a stack. They stay when another assembly replaces the present one. */
export class StackAddresses {
  readonly #options: AddressOptions;
  /** Servers by kind and position in the template, so that a server survives a change of its logical id. */
  readonly #servers = new Map<string, HttpServer>();

  constructor(options: AddressOptions) {
    this.#options = options;
  }

  /** Listens at every address. Ports come first because functions get the addresses in their environment. */
  async of(assembly: string): Promise<Servers> {
    const { apis, distributions } = addressedResources(readTemplate(assembly));
    const { apiPort, distributionPort, portOptions } = this.#options;
    const servers = new Map<string, HttpServer>();
    for (const [place, id] of apis.entries())
      servers.set(id, await this.#at(`api ${place}`, place === 0 ? apiPort : 0, portOptions?.api));
    for (const [place, id] of distributions.entries()) {
      const port = place === 0 ? distributionPort : 0;
      servers.set(id, await this.#at(`distribution ${place}`, port, portOptions?.distribution));
    }
    return servers;
  }

  /** Holds requests until they are served again. */
  async pause(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.pause()));
  }

  async stop(graceMs?: number): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop(graceMs)));
  }

  async #at(name: string, port: number, portOption?: string): Promise<HttpServer> {
    const known = this.#servers.get(name);
    if (known) return known;
    const server = await listen({ port, ...(portOption !== undefined && { portOption }) });
    this.#servers.set(name, server);
    return server;
  }
}

export function serverOf(servers: Servers, id: string): HttpServer {
  const found = servers.get(id);
  if (!found) throw new Error(`${id} has no address`);
  return found;
}

export const portOf = (endpoint: string): number => Number(new URL(endpoint).port);
