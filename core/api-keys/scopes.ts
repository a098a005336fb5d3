export const scopes = ['links:read', 'links:write', 'links:delete', 'apps:read', 'apps:write'] as const;
export type Scope = (typeof scopes)[number];
