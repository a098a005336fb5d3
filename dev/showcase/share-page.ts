import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Deployment } from '../../ops/deployment/deployment.ts';
import { createShareKey } from '../../ops/projects/share-keys.ts';

const template = { payload: { link: 'https://example.com/join' }, allow: ['link.path', 'data'] };

/**
 * Writes a page whose button makes share links from a browser. Its publishable key stays the same at every start until
 * it is revoked. Resolves to the page's address.
 */
export const writeSharePage = async (
  deployment: Deployment & { readonly apiBase: string },
  { project, folder }: { readonly project: string; readonly folder: string },
): Promise<string> => {
  const keys = await deployment.stores.apiKeys.list(project);
  const known = keys.find(({ share, revokedAt }) => share && revokedAt === undefined)?.share;
  const { apiKey } = known ?? (await createShareKey(deployment, project, template));
  const page = await readFile(path.join(import.meta.dirname, 'share.html'), 'utf8');
  const settings = JSON.stringify({ url: deployment.apiBase, publishableKey: apiKey });
  const file = path.resolve(folder, 'share.html');
  await writeFile(file, page.replace('{settings}', settings));
  return pathToFileURL(file).href;
};
