import type { Domain } from '../core/projects/domain-store.ts';
import { findProject } from './projects.ts';
import { OperatorError, type Target } from './target.ts';

/**
 * Gives a host to a project: its short URLs become `https://HOST/{code}`. Throws OperatorError if the project is
 * missing, the text can't be a host, or the host belongs to another project.
 */
export const assignDomain = async (target: Target, text: string, project: string): Promise<Domain> => {
  const host = readHost(text);
  await findProject(target, project);
  const shared = host === new URL(target.shortBase).host;
  if (!(await target.stores.domains.assign({ host, project, ...(shared && { shared }) }))) {
    const owner = await target.stores.domains.find(host);
    throw new OperatorError(
      `The host ${host} belongs to the project ${owner?.project}: remove it there first`,
    );
  }
  return { host, project };
};

/** All hosts with their projects. */
export const listDomains = ({ stores }: Target): Promise<Domain[]> => stores.domains.list();

/** The host of a project. Throws OperatorError if it has none. */
export const findDomain = async ({ stores }: Target, text: string): Promise<Domain> => {
  const host = readHost(text);
  const domain = await stores.domains.find(host);
  if (!domain) throw new OperatorError(`The host ${host} belongs to no project`);
  return domain;
};

/** Takes a host away from its project. Throws OperatorError if it has none. */
export const removeDomain = async (target: Target, text: string): Promise<Domain> => {
  const domain = await findDomain(target, text);
  if (!(await target.stores.domains.remove(domain))) {
    throw new OperatorError(`The host ${domain.host} belongs to no project`);
  }
  return domain;
};

const hostPattern = /^(?=.{1,259}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}(:\d{1,5})?$/;

const readHost = (text: string): string => {
  // What people have at hand is often an address.
  const host = text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
  if (!hostPattern.test(host)) {
    throw new OperatorError(`'${text}' can't be a host name: give one such as go.example.com`);
  }
  return host;
};
