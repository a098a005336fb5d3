import { DynamicLinks } from '../../client/dynamic-links.ts';
import { DynamicLinksError } from '../../client/failures.ts';

interface Keyed {
  readonly client: DynamicLinks;
  /** When to renew the key, in epoch milliseconds. */
  readonly until: number;
}

/** A key is renewed this long before its end. */
const earlyMs = 60_000;

/** New keys that a call may request: tabs that open at once may revoke each other's keys. */
const otherKeys = 3;

/** API clients, each with a key that the session is exchanged for. */
export const projectClients = (
  url: string,
  exchange: (project: string) => Promise<{ readonly key: string; readonly expiresAt: string }>,
) => {
  const clients = new Map<string, Promise<Keyed>>();

  const open = async (project: string): Promise<Keyed> => {
    try {
      const { key, expiresAt } = await exchange(project);
      // This machine's clock may be ahead.
      const until = Math.max(Date.parse(expiresAt) - earlyMs, Date.now() + earlyMs);
      return { client: new DynamicLinks({ url, key }), until };
    } catch (error) {
      clients.delete(project);
      throw error;
    }
  };

  /** Concurrent calls share one key, because a member gets few. `ended` is the client whose key was refused. */
  const clientOf = async (project: string, ended?: DynamicLinks): Promise<DynamicLinks> => {
    const before = clients.get(project);
    const known = await before;
    if (known && known.client !== ended && Date.now() < known.until) return known.client;
    const other = clients.get(project);
    const next = other && other !== before ? other : open(project);
    clients.set(project, next);
    return (await next).client;
  };

  return {
    /** A key may have expired while the page was asleep, or another tab may have revoked it. */
    async withClient<Result>(project: string, ask: (client: DynamicLinks) => Promise<Result>) {
      let client = await clientOf(project);
      for (let left = otherKeys; ; left -= 1) {
        try {
          return await ask(client);
        } catch (error) {
          const isOver = error instanceof DynamicLinksError && error.code === 'INVALID_API_KEY';
          if (!isOver || left === 0) throw error;
          client = await clientOf(project, client);
        }
      }
    },
    forget: () => clients.clear(),
  };
};
