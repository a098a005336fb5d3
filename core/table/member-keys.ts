import { epochSeconds } from '../base/durations.ts';
import { type Key, keyIn, type ListingKey, listings, partitions, tableSchema } from './keys.ts';

/* Keys of members, their sessions and their API keys. */

/** Members of a project, by e-mail address. */
export const membersOf = (project: string): string => partitions.member + project;
export const memberKey = (project: string, email: string): Key => keyIn('member', project, email);
export const memberListing = (project: string, email: string): ListingKey => ({
  LPK: listings.members,
  LSK: `${project}#${email}`,
});

/** How many members a project has. */
export const memberCountKey = (project: string): Key => keyIn('project', project, 'MEMBERS');

/** A person's list of projects. */
export const personKey = (email: string): Key => keyIn('person', email, 'PERSON');

/** An API key that a member created. */
export const memberKeyKey = (keyId: string): Key => keyIn('memberKey', keyId, 'MEMBERKEY');

export const sessionKey = (hash: string): Key => keyIn('session', hash, 'SESSION');

/** A used sign-in attempt. */
export const signInAttemptKey = (hash: string): Key => keyIn('session', hash, 'ATTEMPT');

/** The issuer's `sub` that a member's first sign-in bound. */
export const subjectKey = (member: string): Key => keyIn('signedIn', member, 'SUBJECT');

/** The member that an account of the issuer belongs to. */
export const accountKey = (hash: string): Key => keyIn('signedIn', hash, 'ACCOUNT');

export const keyCountKey = (member: string, project: string): Key =>
  keyIn('memberKey', `${member}@${project}`, 'MADE');

/** One of a member's numbered places for keys of a project. */
export const heldKeyKey = (member: string, project: string, place: number): Key =>
  keyIn('memberKey', `${member}@${project}`, `HELD#${place}`);

/** Attributes of an item that expires after so many milliseconds. */
export const endAfter = (now: Date, ms: number) => {
  const end = now.getTime() + ms;
  return { expiresAt: new Date(end).toISOString(), [tableSchema.ttl]: epochSeconds(end) };
};
