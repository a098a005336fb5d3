import { memberKeyStore } from '../../core/members/member-admission.ts';
import { memberStore } from '../../core/members/member-store.ts';
import { sessionStore } from '../../core/members/session-store.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import type { FaultyEngine } from '../../local/testing/faulty-engine.ts';
import { unique } from './builders.ts';
import type { TestTable } from './engine.ts';
import { openWholeTable } from './lean-table.ts';
import { ofFile } from './of-file.ts';

/** When everything happens that a test of members doesn't date. */
export const now = new Date('2026-11-24T10:00:00.000Z');
export const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

/** The stores of members over a way with faults, and shared parts of their tests. */
export const fileMembers = (db: TestTable, faulty: FaultyEngine) => {
  const stores = ofFile(() => {
    const table = openWholeTable(faulty.endpoint);
    return { members: memberStore(table), sessions: sessionStore(table), keys: memberKeyStore(db.table) };
  });

  const aProject = async (): Promise<string> => {
    const id = unique('p').toLowerCase();
    const createdAt = now.toISOString();
    await projectStore(db.table).create({ id, name: 'P', subscription: 'active', createdAt });
    return id;
  };
  const anEmail = (): string => `${unique('ann').toLowerCase()}@example.com`;

  /** A member of a project, who hasn't signed in. */
  const aMember = async (project?: string) => {
    const of = project ?? (await aProject());
    const made = await stores.members.add({ email: anEmail(), project: of, role: 'editor' }, now);
    if (typeof made === 'string') throw new Error(made);
    return made;
  };

  const signedIn = async (email: string) => {
    const begun = await stores.sessions.begin(email, `subject of ${email}`, now);
    if (typeof begun === 'string') throw new Error(begun);
    return begun.token;
  };

  return { stores, aProject, anEmail, aMember, signedIn };
};
