import type { VNode } from 'preact';
import { client, type Name } from './calls/client.ts';
import { Page } from './components/page.tsx';
import { A, hrefOf, type PagePlace } from './router.tsx';
import { ProjectAnalyticsView } from './views/analytics/analytics.tsx';
import { AppFormView } from './views/apps/app-form.tsx';
import { AppsView } from './views/apps/apps.tsx';
import { HostsView } from './views/hosts/hosts.tsx';
import { LinkView } from './views/links/link.tsx';
import { LinkFormView } from './views/links/link-form.tsx';
import { LinksView } from './views/links/links.tsx';
import { ManyLinksView } from './views/links/many-links.tsx';
import { DestinationsView } from './views/projects/destinations.tsx';
import { KeysView } from './views/projects/keys.tsx';
import { MembersView } from './views/projects/members.tsx';
import { NewProjectView } from './views/projects/new-project.tsx';
import { ProjectsView } from './views/projects/projects.tsx';
import { RequestsView } from './views/projects/requests.tsx';
import { SettingsView } from './views/projects/settings.tsx';
import { ExportView } from './views/transfer/export.tsx';
import { ImportView } from './views/transfer/import.tsx';
import { WebhookView } from './views/webhooks/webhook.tsx';
import { WebhooksView } from './views/webhooks/webhooks.tsx';

interface Shown {
  /** The project that the view belongs to. */
  readonly project?: string;
  readonly view: VNode;
}

/** The view for an address. Keys reset views when their subject changes. */
export const viewOf = (place: PagePlace): Shown => {
  const [root, project] = place.path;
  if (root === undefined) return { view: <ProjectsView /> };
  if (!FOR_OPERATORS && root !== 'p') return { view: <Nowhere /> };
  if (root === 'new' && project === undefined) return { view: <NewProjectView /> };
  if (root === 'destinations' && project === undefined) return { view: <DestinationsView /> };
  if (root !== 'p' || project === undefined) return { view: <Nowhere /> };
  return { project, view: projectView(project, place) ?? <Nowhere /> };
};

const projectView = (project: string, { path, query }: PagePlace): VNode | undefined => {
  const [, , section, one, verb, ...more] = path;
  const needed = neededFor(section, one, verb);
  if (more.length > 0) return undefined;
  if (needed && !client().offers(needed, project))
    return /^(create|update|set)/.test(needed) ? (
      <Nowhere words="Your role in this project can’t do this." />
    ) : undefined;
  if (section === undefined) return <LinksView key={project} project={project} query={query} />;
  if (section === 'links' && one !== undefined) return linkView(project, { one, verb, query });
  if (verb !== undefined) return undefined;
  if (section === 'apps' && one !== undefined)
    return one === fresh ? (
      <AppFormView key="new" project={project} />
    ) : (
      <AppFormView key={one} project={project} id={one} />
    );
  if (FOR_OPERATORS && section === 'webhooks' && one !== undefined)
    return <WebhookView key={one} project={project} id={one} />;
  if (one !== undefined) return undefined;
  const View = sections.get(section) ?? operatorsSections?.get(section);
  return View && <View key={project} project={project} query={query} />;
};

type Section = (props: { project: string; query: URLSearchParams }) => VNode;

const sections: ReadonlyMap<string, Section> = new Map<string, Section>([
  ['analytics', ProjectAnalyticsView],
  ['figures', ProjectAnalyticsView], // its name until 1.3, in bookmarks
  ['apps', AppsView],
  ['members', MembersView],
  ['export', ExportView],
  ['settings', SettingsView],
]);

/** Undefined in the members' console, whose bundle then lacks these views. */
const operatorsSections = FOR_OPERATORS
  ? new Map<string, Section>([
      ['keys', KeysView],
      ['hosts', HostsView],
      ['webhooks', WebhooksView],
      ['requests', RequestsView],
      ['import', ImportView],
    ])
  : undefined;

/** The call that a view requires. */
const neededFor = (section?: string, one?: string, verb?: string): Name | undefined => {
  if (section === 'links' && one === fresh) return 'createLink';
  if (section === 'links' && one === many) return 'createLinks';
  if (section === 'links' && verb === 'edit') return 'updateLink';
  if (section === 'apps' && one !== undefined) return one === fresh ? 'createApp' : 'updateApp';
  return section === undefined ? undefined : sectionCalls.get(section);
};

const sectionCalls: ReadonlyMap<string, Name> = new Map([
  ['keys', 'keys'],
  ['members', 'members'],
  ['hosts', 'hosts'],
  ['webhooks', 'webhooks'],
  ['requests', 'requests'],
  ['import', 'importLinks'],
  ['export', 'exportLinks'],
  ['settings', 'setQrStyle'],
]);

/** Stands for a new code or id in an address; it is never a valid one. */
const fresh = '~new';
const many = '~many';

interface LinkPlace {
  readonly one: string;
  readonly verb: string | undefined;
  readonly query: URLSearchParams;
}

const linkView = (project: string, { one, verb, query }: LinkPlace): VNode | undefined => {
  if (one === many) return verb === undefined ? <ManyLinksView project={project} /> : undefined;
  if (one === fresh) {
    const like = query.get('like') ?? undefined;
    return verb === undefined ? (
      <LinkFormView key={`new ${like}`} project={project} like={like} />
    ) : undefined;
  }
  if (verb === 'edit') return <LinkFormView key={`edit ${one}`} project={project} code={one} />;
  return verb === undefined ? <LinkView key={one} project={project} code={one} query={query} /> : undefined;
};

const Nowhere = ({ words = 'This address shows nothing.' }) => (
  <Page title="Nothing here">
    <p>
      {words} <A href={hrefOf([])}>Go to the projects</A>
    </p>
  </Page>
);
