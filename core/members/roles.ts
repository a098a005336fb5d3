import { type Scope, scopes } from '../api-keys/scopes.ts';

export const roleScopes = {
  viewer: ['links:read', 'apps:read'],
  editor: scopes,
  /** An editor who also manages the project's members. */
  admin: scopes,
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roleScopes;

export const roles = Object.keys(roleScopes) as Role[];
