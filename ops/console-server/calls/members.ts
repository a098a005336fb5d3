import * as z from 'zod';
import { readEmail, roles } from '../../../core/members/member.ts';
import { addMember, listMembers, removeMember } from '../../projects/members.ts';
import { consoleCall } from '../call.ts';
import { project } from './projects.ts';

const email = z.string().transform((text, context) => {
  const read = readEmail(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: 'must be an e-mail address in ASCII, at most 254 characters' });
  return z.NEVER;
});

export const memberCalls = {
  members: consoleCall(z.object({ project }), (input, { target }) => listMembers(target, input.project)),

  addMember: consoleCall(z.object({ project, email, role: z.enum(roles) }), (input, { target }) =>
    addMember(target, input),
  ),

  removeMember: consoleCall(z.object({ project, email }), (input, { target }) =>
    removeMember(target, input.email, input.project),
  ),
};
