import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostState, HostTenants } from './tenants.ts';

/** Folder with one file per host, so that two concurrent commands lose nothing. */
const folderOf = (data: string) => path.join(data, 'tenants');

const fileOf = (data: string, host: string) =>
  path.join(folderOf(data), `${encodeURIComponent(host)}.tenant`);

/** The id of the distribution whose tenant the host is on the local stack of this data folder. */
export const tenantOf =
  (data: string) =>
  async (host: string): Promise<string | undefined> => {
    try {
      return await readFile(fileOf(data, host), 'utf8');
    } catch (error) {
      // No file can have a name of that length.
      if (['ENOENT', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  };

/** Drops all tenants, for a stack whose table starts empty. */
export const dropLocalTenants = (data: string): Promise<void> =>
  rm(folderOf(data), { recursive: true, force: true });

/** The tenants of a local stack. There are no certificates and no DNS to wait for. */
export const localTenants = (data: string, distributionId: string): HostTenants => {
  const served = (host: string): HostState => ({
    status: 'active',
    says: `${host} is served; name it in the Host header of a request to the short URLs' port`,
  });
  return {
    ensure: async (host) => {
      const file = fileOf(data, host);
      const unfinished = `${file}.${process.pid}`;
      await mkdir(folderOf(data), { recursive: true });
      await writeFile(unfinished, distributionId);
      await rename(unfinished, file);
      return served(host);
    },
    look: async (host) =>
      (await tenantOf(data)(host)) === distributionId
        ? served(host)
        : { status: 'missing', says: `the local edge has no tenant for ${host}: assign it again` },
    remove: async (host) => {
      await rm(fileOf(data, host), { force: true });
      return true;
    },
  };
};
