import { useState } from 'preact/hooks';
import { type CallOutput, callService, client } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { useQuestion } from '../../components/confirm.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { FormSection } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { day } from '../../format.ts';
import { hrefOf } from '../../router.tsx';

type Member = CallOutput<'members'>[number];
type Role = Member['role'];

const roles = [
  ['viewer', 'Viewer'],
  ['editor', 'Editor'],
  ['admin', 'Admin'],
] as const;

/** A role with what it may do; within a minute, as the API remembers a key's permissions. */
const rights: Readonly<Record<Role, readonly [title: string, text: string]>> = {
  viewer: ['Make this member a viewer?', 'can only look, within a minute.'],
  editor: ['Make this member an editor?', 'can change links and apps, but not members, within a minute.'],
  admin: ['Make this member an admin?', 'can change links and apps within a minute, and members at once.'],
};

const roleOf = (text: string): Role => roles.find(([role]) => role === text)?.[0] ?? 'viewer';

/** The project's members and their roles. */
export const MembersView = ({ project }: { project: string }) => {
  const members = useCall('members', { project });
  const { data: signIn } = useCall('signInAddress', {});
  return (
    <Page
      title="Members"
      actions={
        signIn && <CopyButton text={signIn} what="the sign-in address" words="Copy the sign-in address" />
      }
    >
      <Loaded from={members} what="Reading members">
        {(all) => (
          <div class="beside">
            {all.length > 0 && (
              <div class="stack">
                <MemberList project={project} members={all} reload={members.reload} />
                <CommandHint line={commandFor('member list', [], { project })} />
              </div>
            )}
            <AddMember project={project} isFirst={all.length === 0} reload={members.reload} />
          </div>
        )}
      </Loaded>
    </Page>
  );
};

interface MemberListProps {
  readonly project: string;
  readonly members: readonly Member[];
  readonly reload: () => void;
}

const MemberList = ({ project, members, reload }: MemberListProps) => {
  const [dialog, ask] = useQuestion();
  /** An admin who has changed the own role starts again with the new one. */
  const done = (email: string, text: string) => {
    if (email === client().account?.email) return location.assign(hrefOf(['p', project]));
    announce(text);
    reload();
  };
  const setRole = ({ email }: Member, role: Role) =>
    ask({
      title: rights[role][0],
      body: (
        <p>
          <b>{email}</b> {rights[role][1]}
        </p>
      ),
      action: `Make ${role}`,
      command: commandFor('member add', [email], { project, role }),
      work: async () => {
        await callService('addMember', { project, email, role });
        done(email, 'Role changed');
      },
    });
  const remove = ({ email }: Member) =>
    ask({
      title: 'Remove this member?',
      body: (
        <p>
          <b>{email}</b> is refused at the next call. The links stay.
        </p>
      ),
      action: 'Remove member',
      dangerous: true,
      command: commandFor('member remove', [email], { project }),
      work: async () => {
        await callService('removeMember', { project, email });
        done(email, `${email} is removed`);
      },
    });
  return (
    <ul class="rows">
      {members.map((member) => (
        <li key={member.id} class="card row">
          <div>
            <p>
              <strong>{member.email}</strong>
            </p>
            <p class="soft">Member since {day(member.createdAt)}</p>
          </div>
          <div class="buttons">
            <select
              aria-label={`Role of ${member.email}`}
              value={member.role}
              onChange={({ currentTarget }) => {
                const role = roleOf(currentTarget.value);
                // The role changes only after confirmation.
                currentTarget.value = member.role;
                setRole(member, role);
              }}
            >
              {roles.map(([role, words]) => (
                <option key={role} value={role}>
                  {words}
                </option>
              ))}
            </select>
            <button type="button" onClick={() => remove(member)} aria-label={`Remove ${member.email}`}>
              Remove
            </button>
          </div>
        </li>
      ))}
      {dialog}
    </ul>
  );
};

interface AddMemberProps {
  readonly project: string;
  readonly isFirst: boolean;
  readonly reload: () => void;
}

const AddMember = ({ project, isFirst, reload }: AddMemberProps) => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const action = useAction();
  const add = () =>
    action.run(async () => {
      await callService('addMember', { project, email, role });
      announce(`${email} is a member. Send the sign-in address`);
      setEmail('');
      reload();
    });
  return (
    <FormSection
      title="New member"
      empty={
        isFirst && {
          title: 'No members yet',
          text: 'Members sign in to a console of their own, without AWS, and see this project.',
        }
      }
      action={action}
      submit="Add member"
      onSubmit={add}
      command={commandFor('member add', [email || 'EMAIL'], { project, role })}
    >
      <TextField
        label="Email"
        path="email"
        hint="As in the identity provider. No invitation is sent: copy the sign-in address above."
        value={email}
        onText={setEmail}
        required
      />
      <ChoiceField
        label="Role"
        hint="Viewers see links, apps and analytics; editors change them as well; admins also manage members."
        value={role}
        choices={roles}
        onChoice={(text) => setRole(roleOf(text))}
      />
    </FormSection>
  );
};
