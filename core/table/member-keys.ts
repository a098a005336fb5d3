import { epochSeconds } from '../base/durations.ts';
import { type Key, keyIn, type ListingKey, listings, partitions, tableSchema } from './keys.ts';

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

/** An attempt to sign in that was used. */
export const signInAttemptKey = (hash: string): Key => keyIn('session', hash, 'ATTEMPT');

/** What a member's first sign-in noted. */
export const subjectKey = (member: string): Key => keyIn('signedIn', member, 'SUBJECT');

/** Which member an account of the issuer is. */
export const accountKey = (hash: string): Key => keyIn('signedIn', hash, 'ACCOUNT');

/** How many keys a member has made of a project. */
export const keyCountKey = (member: string, project: string): Key =>
  keyIn('memberKey', `${member}@${project}`, 'MADE');

/** The place of one of the keys that a member has of a project. */
export const heldKeyKey = (member: string, project: string, place: number): Key =>
  keyIn('memberKey', `${member}@${project}`, `HELD#${place}`);

/** When what begins now and lasts so long is over, as items say it. */
export const endAfter = (now: Date, ms: number) => {
  const end = now.getTime() + ms;
  return { expiresAt: new Date(end).toISOString(), [tableSchema.ttl]: epochSeconds(end) };
};
