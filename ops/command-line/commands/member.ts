import { readEmail } from '../../../core/members/member.ts';
import { roles } from '../../../core/members/roles.ts';
import { UsageError } from '../../base/operator-error.ts';
import { command, optional, type Parameter, required, requiredChoice } from '../command.ts';

const library = () => import('../../projects/members.ts');
const project = required('ID', 'the project that the member works on');
const email: Parameter<string> = {
  ...required('EMAIL', "the member's address, as the identity provider states it"),
  read: (text) => {
    const read = readEmail(text);
    if (read !== undefined) return read;
    throw new UsageError(
      'EMAIL must be an email address: printable ASCII without spaces, one @, at most 254 characters',
    );
  },
};

export const memberCommands = [
  command('member add', {
    summary: "Add a member, who can sign in to the members' console, or change a member's role",
    arguments: { email },
    options: {
      project,
      role: {
        ...requiredChoice(
          roles,
          'viewer sees links, apps and analytics; editor also changes them; admin also manages members',
        ),
        placeholder: 'ROLE',
      },
    },
    run: async (member, { deployment }) => (await library()).addMember(await deployment(), member),
  }),
  command('member list', {
    summary: 'List the members of a project, or of all',
    options: { project: optional('ID', 'the project (default: all)') },
    run: async ({ project }, { deployment }) => (await library()).listMembers(await deployment(), project),
  }),
  command('member remove', {
    summary: "End a membership; the member's keys of the project are refused immediately",
    arguments: { email },
    options: { project },
    run: async ({ email, project }, { deployment }) =>
      (await library()).removeMember(await deployment(), email, project),
  }),
];
