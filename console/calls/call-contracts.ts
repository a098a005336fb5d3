import type { api } from '../../core/api/index.ts';
import type { Scope } from '../../core/api-keys/scopes.ts';
import { type Role, roleScopes } from '../../core/members/roles.ts';
import type { Name } from './client.ts';
import type { MembersCall } from './members-calls.ts';

type Api = typeof api;

/** An operation of the API with the scope of its contract. */
type Needed = {
  [Operation in keyof Api]: Api[Operation] extends { readonly scope: infer Needs extends Scope }
    ? readonly [Operation, Needs]
    : never;
}[keyof Api];

/** Calls that the session answers. */
type OfSession = 'deployment' | 'projects' | 'projectHead';

/** The contract behind each call. A scope that isn't the contract's doesn't compile, as the page doesn't load contracts. */
const contracts: Readonly<Record<Exclude<MembersCall, OfSession>, Needed>> = {
  links: ['listLinks', 'links:read'],
  exportLinks: ['listLinks', 'links:read'],
  tags: ['listTags', 'links:read'],
  link: ['getLink', 'links:read'],
  routing: ['listLinks', 'links:read'],
  reach: ['getLink', 'links:read'],
  history: ['getHistory', 'links:read'],
  historyEntry: ['getHistory', 'links:read'],
  createLink: ['createLink', 'links:write'],
  createLinks: ['createLinks', 'links:write'],
  updateLink: ['patchLink', 'links:write'],
  setLinkStatus: ['updateLinkStatus', 'links:write'],
  tagLink: ['patchLink', 'links:write'],
  deleteLink: ['deleteLink', 'links:delete'],
  codeIsFree: ['checkCode', 'links:read'],
  apps: ['listMobileApps', 'apps:read'],
  app: ['getMobileApp', 'apps:read'],
  createApp: ['createMobileApp', 'apps:write'],
  updateApp: ['updateMobileApp', 'apps:write'],
  deleteApp: ['deleteMobileApp', 'apps:write'],
  recentClicks: ['getAnalytics', 'links:read'],
  qrStyle: ['getQrStyle', 'links:read'],
  setQrStyle: ['updateQrStyle', 'links:write'],
  analytics: ['getAnalytics', 'links:read'],
};

/** Calls of the sign-in function that only a project's admins may make. */
const ofAdmins: readonly Name[] = ['members', 'addMember', 'removeMember'];

const scopeOf = (name: Name): Scope | undefined =>
  (contracts as Readonly<Partial<Record<Name, Needed>>>)[name]?.[1];

export const changesData = (name: Name): boolean => !(scopeOf(name) ?? ':read').endsWith(':read');

/** Whether a member may make a call in a project; without a role, only if every role may. */
export const mayCall = (name: Name, role: Role = 'viewer'): boolean => {
  if (ofAdmins.includes(name)) return role === 'admin';
  const scope = scopeOf(name);
  return scope === undefined || (roleScopes[role] as readonly Scope[]).includes(scope);
};
