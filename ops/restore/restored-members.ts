import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Member } from '../../core/members/member.ts';
import { memberStore } from '../../core/members/member-store.ts';
import { forOperators } from '../../core/table/patience.ts';
import { openTable } from '../../core/table/whole-table.ts';
import { OperatorError } from '../base/operator-error.ts';
import { quoted, shellOption } from '../base/shell-words.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { sdkTransport } from '../deployment/sdk-client.ts';

interface Noting {
  /** The restored table. */
  readonly from: string;
  /** Gets the commands. */
  readonly file: string;
  /** What names the deployment in them. */
  readonly flags: string;
}

/** Who may have been removed since must not come back by a restore: operators add them again, as they see fit. */
export interface NotedMembers {
  /** Members of the restored table for whom the file has a command. */
  readonly members: number;
  readonly membersFile?: string;
}

/** Writes the commands that add members again whom the live table lacks. */
export const noteMembers = async (target: DeploymentAccess, noting: Noting): Promise<NotedMembers> => {
  const nameOf = ({ project, email }: Member) => `${project} ${email}`;
  const there = new Set((await target.stores.members.all()).map(nameOf));
  const missing = (await membersIn(target, noting.from).all()).filter((one) => !there.has(nameOf(one)));
  const projects = new Map<string, boolean>();
  for (const { project } of missing)
    projects.set(
      project,
      projects.get(project) ?? (await target.stores.projects.find(project)) !== undefined,
    );
  return note(
    missing.filter(({ project }) => projects.get(project)),
    noting,
  );
};

/** Takes members out of a table that a stack is to adopt, after the commands that add them again are written. Throws OperatorError. */
export const removeMembers = async (
  target: DeploymentAccess,
  noting: Noting,
  now: Date,
): Promise<NotedMembers> => {
  if (noting.from === target.tableName) throw new OperatorError(`${noting.from} is the live table itself`);
  const restored = membersIn(target, noting.from);
  const found = await restored.all().catch((error: Error) => {
    throw new OperatorError(`The table ${noting.from} can't be read: ${error.message}`);
  });
  const noted = note(found, noting);
  for (const { email, project } of found) await restored.remove(email, project, now);
  return noted;
};

const membersIn = ({ access }: DeploymentAccess, name: string) =>
  memberStore(openTable(sdkTransport(access), { name, patience: forOperators }));

/** Keeps what a run before has written. The addresses are for their owner alone. */
const note = (members: readonly Member[], { file, flags }: Noting): NotedMembers => {
  if (members.length === 0) return { members: 0 };
  const known = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const commands = members.map(({ email, project, role }) =>
    ['npx dls member add', quoted(email), shellOption('project', project), shellOption('role', role), flags]
      .join(' ')
      .trim(),
  );
  const fresh = commands.filter((one) => !known.includes(one));
  appendFileSync(file, fresh.map((one) => `${one}\n`).join(''), { mode: 0o600 });
  return { members: members.length, membersFile: file };
};
