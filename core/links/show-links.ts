import type { StoredProject } from '../projects/project-store.ts';
import { namedApps } from './link.ts';
import type { LinkWithAnalytics } from './link-reads.ts';
import { type Presentation, presentLink, withApps } from './shown-link.ts';

interface Showing extends Presentation {
  readonly project: StoredProject;
}

interface AppStore {
  readonly existing: (
    project: string,
    ids: readonly string[],
  ) => Promise<{ readonly has: (id: string) => boolean }>;
}

/** A link's response, without references to apps that don't exist. */
export const showLink = async (found: LinkWithAnalytics, showing: Showing, apps: AppStore) =>
  shownWith(await existingApps([found], showing, apps), showing)(found);

/** The responses for links of one project; their apps are read at once. */
export const showLinks = async (found: readonly LinkWithAnalytics[], showing: Showing, apps: AppStore) =>
  found.map(shownWith(await existingApps(found, showing, apps), showing));

const existingApps = (found: readonly LinkWithAnalytics[], { project }: Showing, apps: AppStore) =>
  apps.existing(
    project.id,
    found.flatMap(({ link }) => namedApps(link.payload).map(({ id }) => id)),
  );

const shownWith =
  (existing: Awaited<ReturnType<AppStore['existing']>>, { project, ...rest }: Showing) =>
  ({ link, analytics }: LinkWithAnalytics) =>
    presentLink(withApps(link, existing), analytics, project, rest);
