import type { Member } from '../../core/members/member.ts';
import { mostMembers } from '../../core/members/member-store.ts';
import type { Role } from '../../core/members/roles.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject, noProject } from './projects.ts';

/** A member as operators see it. */
export type ShownMember = Pick<Member, 'id' | 'email' | 'project' | 'role' | 'createdAt'>;

/** Makes somebody a member of a project, or gives a member another role. Throws OperatorError. */
export const addMember = async (
  { stores }: Deployment,
  member: { readonly email: string; readonly project: string; readonly role: Role },
): Promise<ShownMember> => {
  const added = await stores.members.add(member, new Date());
  if (added === 'no project') throw noProject(member.project);
  if (added === 'full')
    throw new OperatorError(
      `The project ${member.project} has ${mostMembers} members, the most a project may have`,
    );
  if (added === 'too many projects')
    throw new OperatorError(
      `${member.email} is a member of ${mostMembers} projects, the most that one may work on`,
    );
  return shown(added);
};

/** The members of a project, or of all. Throws OperatorError if there is no such project. */
export const listMembers = async (deployment: Deployment, project?: string): Promise<ShownMember[]> => {
  if (project === undefined) return (await deployment.stores.members.all()).map(shown);
  await findProject(deployment, project);
  return (await deployment.stores.members.of(project)).map(shown);
};

/** Ends a membership. Throws OperatorError if there is no such member. */
export const removeMember = async (
  { stores }: Deployment,
  email: string,
  project: string,
): Promise<ShownMember> => {
  const removed = await stores.members.remove(email, project, new Date());
  if (!removed) throw new OperatorError(`${email} isn't a member of the project ${project}`);
  return shown(removed);
};

const shown = ({ id, email, project, role, createdAt }: Member): ShownMember => ({
  id,
  email,
  project,
  role,
  createdAt,
});
