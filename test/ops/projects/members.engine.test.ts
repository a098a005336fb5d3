import { readEmail } from '../../../core/members/member.ts';
import { mostMembers } from '../../../core/members/member-store.ts';
import { demoProject, prepareMembers } from '../../../dev/demo.ts';
import { addMember, listMembers, removeMember } from '../../../ops/projects/members.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { newFolder } from '../../support/folder.ts';
import { fileDeployment } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
beforeAll(async () => {
  await createProject(deployment, { id: 'shop' });
  await createProject(deployment, { id: demoProject });
});

test.each([
  ['Ann.O+X@Example.COM', 'ann.o+x@example.com'],
  ["o'$(id)@x", "o'$(id)@x"],
  [`${'a'.repeat(252)}@x`, `${'a'.repeat(252)}@x`],
  [`${'a'.repeat(253)}@x`, undefined],
  ['@x', undefined],
  ['a@', undefined],
  ['a@b@c', undefined],
  ['a b@c', undefined],
  ['a@b\n', undefined],
  ['ä@b', undefined],
  ['\u212Aim@b', undefined],
  ['', undefined],
])('the address %j is kept as %j', (text, kept) => {
  expect(readEmail(text)).toBe(kept);
});

test('operators add, list and remove members, and get the reason for a refusal', async () => {
  const ann = { email: 'ann@example.com', project: 'shop', role: 'viewer' } as const;
  const member = await addMember(deployment, ann);
  expect(Object.keys(member)).toEqual(['id', 'email', 'project', 'role', 'createdAt']);
  expect(await listMembers(deployment, 'shop')).toEqual([member]);
  expect(await listMembers(deployment)).toEqual([member]);
  expect(await removeMember(deployment, ann.email, 'shop')).toEqual(member);
  await expect(removeMember(deployment, ann.email, 'shop')).rejects.toThrow(
    'ann@example.com is not a member of the project shop',
  );
  for (const refused of [
    addMember(deployment, { ...ann, project: 'nowhere' }),
    listMembers(deployment, 'nowhere'),
  ])
    await expect(refused).rejects.toThrow('There is no project nowhere');
  await expect(addMember(deployment, { ...ann, email: 'ann@example' })).rejects.toThrow(
    'The address must be an email address with a domain, such as ann@example.com',
  );
  for (let i = 0; i < mostMembers; i += 1)
    await addMember(deployment, { ...ann, email: `a${i}@example.com` });
  await expect(addMember(deployment, ann)).rejects.toThrow('The project shop has 100 members');
});

test('a member who was removed from the demo project stays removed at the next start', async () => {
  const data = newFolder();
  const there = async () => (await listMembers(deployment, demoProject)).map(({ email }) => email);
  await prepareMembers(deployment, data);
  expect(await there()).toEqual(['admin@example.com', 'editor@example.com', 'viewer@example.com']);
  await removeMember(deployment, 'viewer@example.com', demoProject);
  await prepareMembers(deployment, data);
  expect(await there()).toEqual(['admin@example.com', 'editor@example.com']);
});
