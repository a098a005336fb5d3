import { readShortPath } from '../../core/hosts/short-address.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';

/**
 * The link of a code and a project, or of a short URL, with or without its scheme. Throws OperatorError for the URL of
 * a host without a project.
 */
export const linkAddressOf = async (
  deployment: Deployment,
  { code, project }: { readonly code: string; readonly project?: string | undefined },
): Promise<LinkId> => {
  if (!code.includes('/')) {
    if (project === undefined) throw new UsageError('Give a code with --project ID, or only a short URL');
    return { project, code };
  }
  const found = await ofShortUrl(deployment, code);
  if (project !== undefined && project !== found.project)
    throw new OperatorError(`${code} is a short URL of the project ${found.project}, not of ${project}`);
  return found;
};

const ofShortUrl = async ({ stores, shortBase }: Deployment, text: string): Promise<LinkId> => {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  const path = url && readShortPath(url.pathname);
  if (!path)
    throw new UsageError(`'${text}' isn't a short URL of this service, such as ${shortBase}/ID/CODE`);
  const { folder, code } = path;
  const host = url.host.replace(/\.(?=:|$)/, '');
  const owner = await stores.domains.find(host);
  if (folder === undefined) {
    if (owner) return { project: owner.project, code };
    throw new OperatorError(`The host ${host} belongs to no project`);
  }
  const isShared = host === new URL(shortBase).host || owner?.shared;
  if (isShared || owner?.project === folder) return { project: folder, code };
  throw new OperatorError(`The host ${host} shows no links of the project ${folder}`);
};
