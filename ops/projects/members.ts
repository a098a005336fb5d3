import { failureMessage } from '../../core/base/messages.ts';
import type { Member } from '../../core/members/member.ts';
import { type MemberFault, mostMembers } from '../../core/members/member-store.ts';
import type { Role } from '../../core/members/roles.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject, noProject } from './projects.ts';

/** Makes somebody a member of a project, or gives a member another role. Throws OperatorError. */
export const addMember = async (
  { stores }: Deployment,
  member: { readonly email: string; readonly project: string; readonly role: Role },
) => {
  const added = await stores.members.add(member, new Date());
  if (typeof added === 'string') throw refused(added, member);
  return shown(added);
};

/** The members of a project, or of all. Throws OperatorError if there is no such project. */
export const listMembers = async (deployment: Deployment, project?: string) => {
  if (project === undefined) return (await deployment.stores.members.all()).map(shown);
  await findProject(deployment, project);
  return (await deployment.stores.members.of(project)).map(shown);
};

/** Ends a membership. Throws OperatorError if there is no such member. */
export const removeMember = async ({ stores }: Deployment, email: string, project: string) => {
  const removed = await stores.members.remove(email, project, new Date());
  if (typeof removed === 'string') throw refused(removed, { email, project });
  return shown(removed);
};

const refused = (fault: MemberFault, { email, project }: Pick<Member, 'email' | 'project'>): OperatorError =>
  fault === 'notMember'
    ? noProject(project)
    : new OperatorError(failureMessage(fault, { email, project, limit: mostMembers }));

/** A member as operators see it. */
const shown = ({ id, email, project, role, createdAt }: Member) => ({ id, email, project, role, createdAt });
