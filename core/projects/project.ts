/** A project's id: 2 to 32 of `a-z`, `0-9` and `-`, starting and ending with a letter or digit. */
export const projectIdPattern = /^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]$/;

export const subscriptions = ['active', 'inactive'] as const;

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly subscription: (typeof subscriptions)[number];
  /** The project's custom host; without one, its links are below `{shortBase}/{id}/`. */
  readonly host?: string;
  readonly createdAt: string;
  /** Time of its suspension by an operator, during which its short URLs return 404, and calls with its keys 403. */
  readonly suspendedAt?: string;
}

/** The service's own hosts: the one of short URLs without a custom host, and the distribution's own name if it differs. */
export const serviceHosts = (shortBase: string, others = ''): string[] =>
  [URL.parse(shortBase)?.host ?? '', ...others.split(',')].filter(Boolean);

/** Base address of a project's short URLs: its custom host, or its folder on the shared one. */
export const shortBaseOf = (project: Pick<Project, 'id' | 'host'>, shortBase: string): string => {
  if (project.host === undefined) return `${shortBase}/${project.id}`;
  // The shared host can also be a project's host, and may have the scheme http locally.
  return project.host === new URL(shortBase).host ? shortBase : `https://${project.host}`;
};
