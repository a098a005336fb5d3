import { contentOf } from '../table/content.ts';
import type { Item } from '../table/table.ts';
import type { Membership } from './member.ts';
import type { Role } from './roles.ts';

/** A role as stored. An admin is an editor with a mark, because 1.3 gives other roles no permissions. */
export const storedRole = (role: Role) => (role === 'admin' ? { role: 'editor', manages: true } : { role });

export const membershipOf = (item: Item): Membership => {
  const { manages, ...member } = contentOf<Membership & { readonly manages?: true }>(item);
  return manages && member.role === 'editor' ? { ...member, role: 'admin' } : member;
};
