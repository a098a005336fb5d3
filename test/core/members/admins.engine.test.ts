import * as fc from 'fast-check';
import { isMailbox, type Member } from '../../../core/members/member.ts';
import type { Role } from '../../../core/members/roles.ts';
import { memberKey } from '../../../core/table/member-keys.ts';
import { updateOf } from '../../../core/table/update.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults } from '../../support/faults.ts';
import { fileMembers, now } from '../../support/members.ts';

const db = fileTable();
const { stores, aProject, anEmail } = fileMembers(db, fileFaults(db));

const made = async (project: string, role: Role): Promise<Member> => {
  const member = await stores.members.add({ email: anEmail(), project, role }, now);
  if (typeof member === 'string') throw new Error(member);
  return member;
};
const change = (by: Member, { email }: { readonly email: string }, role: Role | null, project = by.project) =>
  stores.members.change(by, { project, email, role }, now);
const rolesIn = async (project: string) =>
  Object.fromEntries((await stores.members.of(project)).map(({ email, role }) => [email, role]));

test('an admin adds, changes and removes members of the project', async () => {
  const admin = await made(await aProject(), 'admin');
  const email = anEmail();
  expect(await change(admin, { email }, 'viewer')).toMatchObject({ email, role: 'viewer' });
  expect(await change(admin, { email }, 'admin')).toMatchObject({ email, role: 'admin' });
  expect(await rolesIn(admin.project)).toEqual({ [admin.email]: 'admin', [email]: 'admin' });
  expect((await stores.members.all()).find((one) => one.email === email)?.role).toBe('admin');
  expect(await change(admin, { email }, 'editor')).toMatchObject({ role: 'editor' });
  expect(await rolesIn(admin.project)).toEqual({ [admin.email]: 'admin', [email]: 'editor' });
  expect(await change(admin, { email }, null)).toMatchObject({ email });
  expect(await change(admin, { email }, null)).toBe('noMember');
  expect(await change(admin, { email: 'ann@example' }, 'viewer')).toBe('notMailbox');
  expect(await rolesIn(admin.project)).toEqual({ [admin.email]: 'admin' });
});

test("nobody else changes a project's members, and no admin those of another project", async () => {
  const [project, other] = [await aProject(), await aProject()];
  const admin = await made(project, 'admin');
  const ofOther = await made(other, 'viewer');
  for (const by of [await made(project, 'viewer'), await made(project, 'editor'), await made(other, 'admin')])
    for (const role of ['admin', 'viewer', null] as const) {
      expect(await change(by, by, role, project)).toBe('notAdmin');
      expect(await change(by, admin, role, project)).toBe('notAdmin');
      expect(await change(by, { email: anEmail() }, role, project)).toBe('notAdmin');
    }
  for (const role of ['admin', null] as const) {
    expect(await change(admin, ofOther, role, other)).toBe('notAdmin');
    // Somebody else with the address, after a removal and another addition.
    expect(await change({ ...admin, id: ofOther.id }, admin, role)).toBe('notAdmin');
  }
  expect(Object.values(await rolesIn(project)).sort()).toEqual(['admin', 'editor', 'viewer']);
});

test('the last admin can be neither removed nor demoted, except by an operator', async () => {
  const admin = await made(await aProject(), 'admin');
  for (const role of ['editor', 'viewer', null] as const)
    expect(await change(admin, admin, role)).toBe('lastAdmin');
  expect(await change(admin, admin, 'admin')).toMatchObject({ role: 'admin' });
  const second = await made(admin.project, 'admin');
  expect(await change(admin, admin, 'viewer')).toMatchObject({ role: 'viewer' });
  expect(await change(second, second, null)).toBe('lastAdmin');
  expect(await stores.members.remove(second.email, admin.project, now)).toMatchObject({ role: 'admin' });
});

test('an admin is an editor for 1.3, whose change to a viewer holds', async () => {
  const { project, email } = await made(await aProject(), 'admin');
  const key = memberKey(project, email);
  expect(await db.table.get(key)).toMatchObject({ role: 'editor', manages: true });
  const byFormer = (role: string) => db.table.update(updateOf(key, { set: { role } }));
  await byFormer('editor');
  expect(await rolesIn(project)).toEqual({ [email]: 'admin' });
  await byFormer('viewer');
  expect(await rolesIn(project)).toEqual({ [email]: 'viewer' });
  await stores.members.add({ email, project, role: 'editor' }, now);
  expect(await rolesIn(project)).toEqual({ [email]: 'editor' });
});

test('whatever three admins do to each other at once, one is left', async () => {
  const lost = fc.constantFrom<Role | null>('viewer', 'editor', null);
  const ofEach = fc.array(fc.record({ step: fc.constantFrom(1, 2), role: lost }), {
    minLength: 3,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(ofEach, async (acts) => {
      const project = await aProject();
      const people: Member[] = [];
      for (let i = 0; i < 3; i += 1) people.push(await made(project, 'admin'));
      const of = (i: number) => people[i % 3] as Member;
      await Promise.all(acts.map(({ step, role }, i) => change(of(i), of(i + step), role)));
      expect(Object.values(await rolesIn(project))).toContain('admin');
    }),
    { numRuns: 25 },
  );
});

test('of two admins who remove or demote each other at the same time, one stays', async () => {
  for (const role of ['viewer', null] as const)
    for (let i = 0; i < 5; i += 1) {
      const [one, other] = [await made(await aProject(), 'admin'), await made(await aProject(), 'admin')];
      const second = (await change(one, other, 'admin')) as Member;
      const both = await Promise.all([change(one, second, role), change(second, one, role)]);
      expect(both.filter((result) => result === 'notAdmin')).toHaveLength(1);
      expect(Object.values(await rolesIn(one.project)).filter((left) => left === 'admin')).toEqual(['admin']);
    }
});

test.each([
  ['ann@example.com', true],
  ["o'neil+x@mail.example.co.uk", true],
  [`${'a'.repeat(64)}@example.com`, true],
  ['ann@xn--bcher-kva.example', true],
  ['ann@example', false],
  ['ann@example.', false],
  ['ann@.example.com', false],
  ['ann@example..com', false],
  ['ann@-example.com', false],
  ['ann@127.0.0.1', false],
  ['.ann@example.com', false],
  ['ann.@example.com', false],
  ['a..b@example.com', false],
  [`${'a'.repeat(65)}@example.com`, false],
])('%s as a new address: %s', (email, expected) => {
  expect(isMailbox(email)).toBe(expected);
});
