import * as z from 'zod';
import { readEmail } from '../../../core/members/member.ts';
import { roles } from '../../../core/members/roles.ts';
import { addMember, listMembers, removeMember } from '../../projects/members.ts';
import { consoleCall } from '../call.ts';
import { project, projectCall } from './projects.ts';

const email = z.string().transform((text, context) => {
  const read = readEmail(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: 'must be an email address in ASCII, at most 254 characters' });
  return z.NEVER;
});

export const memberCalls = {
  /** Where members sign in; undefined if they can't. Every stack has the output, to be registered with an issuer first. */
  signInAddress: consoleCall(z.object({}), async (_, { deployment: { signInUrl = '' } }) => {
    const signal = AbortSignal.timeout(3000);
    const answer = await fetch(`${signInUrl}/session`, { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.status === 401 ? signInUrl : undefined;
  }),

  members: projectCall(listMembers),

  addMember: consoleCall(z.object({ project, email, role: z.enum(roles) }), (input, { deployment }) =>
    addMember(deployment, input),
  ),

  removeMember: consoleCall(z.object({ project, email }), (input, { deployment }) =>
    removeMember(deployment, input.email, input.project),
  ),
};
