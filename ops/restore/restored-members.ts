import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { quoted, shellOption } from '../../core/base/shell-words.ts';
import type { Member } from '../../core/members/member.ts';
import { memberStore } from '../../core/members/member-store.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { operatorTable } from '../deployment/sdk-client.ts';

interface Noting {
  /** The restored table. */
  readonly from: string;
  /** File for the commands. */
  readonly file: string;
  /** Flags that name the deployment in them. */
  readonly flags: string;
}

/** Members in a restored table. A restore adds none, because they may have been removed since: operators decide. */
export interface NotedMembers {
  /** Members of the restored table for whom the file has a command. */
  readonly members: number;
  readonly membersFile?: string;
}

/** Writes commands that add members missing in the live table. */
export const noteMembers = async (deployment: DeploymentAccess, noting: Noting): Promise<NotedMembers> => {
  const nameOf = ({ project, email }: Member) => `${project} ${email}`;
  const there = new Set((await deployment.stores.members.all()).map(nameOf));
  const missing = (await membersIn(deployment, noting.from).all()).filter((one) => !there.has(nameOf(one)));
  const projects = new Map<string, boolean>();
  for (const { project } of missing)
    projects.set(
      project,
      projects.get(project) ?? (await deployment.stores.projects.find(project)) !== undefined,
    );
  return note(
    missing.filter(({ project }) => projects.get(project)),
    noting,
  );
};

/** Removes members from a table before a stack adopts it, after writing commands to add them. Throws OperatorError. */
export const removeMembers = async (deployment: DeploymentAccess, noting: Noting, now: Date) => {
  if (noting.from === deployment.tableName)
    throw new OperatorError(`${noting.from} is the live table itself`);
  const restored = membersIn(deployment, noting.from);
  const found = await restored.all().catch((error: Error) => {
    throw new OperatorError(`The table ${noting.from} can't be read: ${error.message}`);
  });
  const noted = note(found, noting);
  for (const { email, project } of found) await restored.remove(email, project, now);
  return noted;
};

const membersIn = ({ access }: DeploymentAccess, name: string) => memberStore(operatorTable(access, name));

/** Appends commands to the file, which only its owner can read, because it contains e-mail addresses. */
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
