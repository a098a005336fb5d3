/** 2 to 32 of `a-z`, `0-9`, `-`, starting and ending with a letter or digit. */
export const projectIdPattern = /^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]$/;

export const subscriptions = ['active', 'inactive'] as const;

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly subscription: (typeof subscriptions)[number];
  /** The host that belongs to this project; without one its links live under `{shortBase}/{id}/`. */
  readonly host?: string;
  readonly createdAt: string;
  /** When an operator suspended it: its short URLs give 404, its keys 403. */
  readonly suspendedAt?: string;
}

/** Base address of a project's short URLs: its custom host, or its folder on the shared one. */
export const shortBaseOf = (project: Pick<Project, 'id' | 'host'>, shortBase: string): string => {
  if (project.host === undefined) return `${shortBase}/${project.id}`;
  // The shared host can be a project's host, too; only then is its scheme (http when local) known.
  return project.host === new URL(shortBase).host ? shortBase : `https://${project.host}`;
};
