import { type Key, keyIn, type ListingKey, listings, partitions } from './keys.ts';

/* Keys of what members are and leave. */

/** Members of a project, by e-mail address. */
export const membersOf = (project: string): string => partitions.member + project;
export const memberKey = (project: string, email: string): Key => keyIn('member', project, email);
export const memberListing = (project: string, email: string): ListingKey => ({
  LPK: listings.members,
  LSK: `${project}#${email}`,
});

/** How many members a project has. */
export const memberCountKey = (project: string): Key => keyIn('project', project, 'MEMBERS');

/** In which projects somebody is a member. */
export const personKey = (email: string): Key => keyIn('person', email, 'PERSON');

/** A key of a member's. */
export const memberKeyKey = (keyId: string): Key => keyIn('memberKey', keyId, 'MEMBERKEY');

export const sessionKey = (hash: string): Key => keyIn('session', hash, 'SESSION');

/** What a member's first sign-in noted. */
export const subjectKey = (member: string): Key => keyIn('signedIn', member, 'SUBJECT');

/** The keys that a member has in a project. */
export const heldKeysKey = (member: string, project: string): Key =>
  keyIn('signedIn', member, `KEYS#${project}`);
