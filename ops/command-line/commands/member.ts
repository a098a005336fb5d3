import { readEmail, roles } from '../../../core/members/member.ts';
import { UsageError } from '../../base/operator-error.ts';
import { command, optional, type Parameter, required, requiredChoice } from '../command.ts';

const library = () => import('../../projects/members.ts');
const project = required('ID', 'the project that the member works on');
const email: Parameter<string> = {
  ...required('EMAIL', "the member's address, as the identity provider says it"),
  read: (text) => {
    const read = readEmail(text);
    if (read !== undefined) return read;
    throw new UsageError(
      'EMAIL must be an e-mail address: printable ASCII without blanks, one @, at most 254 characters',
    );
  },
};

export const memberCommands = [
  command('member add', {
    summary: 'Let somebody sign in to the console for members, or change what a member may do',
    arguments: { email },
    options: {
      project,
      role: {
        ...requiredChoice(roles, 'viewer sees links, apps and figures; editor changes them, too'),
        placeholder: 'ROLE',
      },
    },
    run: async (member, { target }) => (await library()).addMember(await target(), member),
  }),
  command('member list', {
    summary: 'List the members of a project, or of all',
    options: { project: optional('ID', 'the project (default: all)') },
    run: async ({ project }, { target }) => (await library()).listMembers(await target(), project),
  }),
  command('member remove', {
    summary: "End a membership; the member's keys of the project are refused at once",
    arguments: { email },
    options: { project },
    run: async ({ email, project }, { target }) =>
      (await library()).removeMember(await target(), email, project),
  }),
];
