import { type Key, type ListingKey, listings, partitions } from './keys.ts';

/* Keys of what members are and leave. */

/** Members of a project, by e-mail address. */
export const membersOf = (project: string): string => partitions.member + project;
export const memberKey = (project: string, email: string): Key => ({ PK: membersOf(project), SK: email });
export const memberListing = (project: string, email: string): ListingKey => ({
  LPK: listings.members,
  LSK: `${project}#${email}`,
});

/** How many members a project has. */
export const memberCountKey = (project: string): Key => ({
  PK: partitions.project + project,
  SK: 'MEMBERS',
});

/** In which projects somebody is a member. */
export const personKey = (email: string): Key => ({ PK: partitions.person + email, SK: 'PERSON' });

/** A key of a member's. */
export const memberKeyKey = (keyId: string): Key => ({
  PK: partitions.memberKey + keyId,
  SK: 'MEMBERKEY',
});

export const sessionKey = (hash: string): Key => ({ PK: partitions.session + hash, SK: 'SESSION' });

/** What a member's first sign-in noted. */
export const subjectKey = (member: string): Key => ({ PK: partitions.signedIn + member, SK: 'SUBJECT' });

/** The keys that a member has in a project. */
export const heldKeysKey = (member: string, project: string): Key => ({
  PK: partitions.signedIn + member,
  SK: `KEYS#${project}`,
});
