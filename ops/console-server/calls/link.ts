import * as z from 'zod';
import { linkDraft, linkPatch, namedTags } from '../../../core/links/link-schema.ts';
import { visitorRoutes } from '../../../core/pages/visitor-routes.ts';
import { shortBaseOf } from '../../../core/projects/project.ts';
import { historyEntry, linkHistory } from '../../links/history.ts';
import { addLink, changeLinkFields } from '../../links/link-edits.ts';
import { reachOf, reasonsOf } from '../../links/link-reach.ts';
import { removeLink, setLinkStatus, showLink } from '../../links/links.ts';
import { live, savedAppsIn } from '../../links/live-link.ts';
import { tagLink } from '../../links/tags.ts';
import { findProject } from '../../projects/projects.ts';
import { body, consoleCall } from '../call.ts';
import { linkChange, linkPlace } from './link-change.ts';
import { project } from './projects.ts';

export const linkCalls = {
  link: consoleCall(linkPlace, ({ project: id, code }, { deployment }) => showLink(deployment, id, code)),

  /** A link, and the reasons if it leads nowhere. */
  reach: consoleCall(linkPlace, async (input, { deployment, now }) => {
    const link = await showLink(deployment, input.project, input.code);
    const apps = await savedAppsIn(deployment, input.project, link.payload);
    const routes = visitorRoutes({ link: live(link), apps, shortUrl: link.shortUrl, query: '', now });
    const reach = await reachOf(
      deployment,
      link,
      routes.flatMap(({ url }) => url ?? []),
    );
    return {
      link,
      state: reach.stopped?.state,
      reasons: reasonsOf(reach),
      blockedHosts: reach.blockedHosts,
    };
  }),

  /** A link's changes, and the current link. */
  history: consoleCall(
    linkPlace.extend({ limit: z.int().min(1).max(1000) }),
    async ({ limit, ...input }, { deployment }) => {
      const [link, entries, members] = await Promise.all([
        showLink(deployment, input.project, input.code),
        linkHistory(deployment, input, limit + 1),
        deployment.stores.members.of(input.project),
      ]);
      const emails = new Map(members.map(({ id, email }) => [id, email]));
      const shown = entries.map((entry) => ({ ...entry, by: emails.get(entry.by ?? '') ?? entry.by }));
      return { link, entries: shown.slice(0, limit), hasMore: shown.length > limit };
    },
  ),

  /** A link before one of these changes, and the current link. */
  historyEntry: consoleCall(
    linkPlace.extend({ id: z.string() }),
    async ({ id, ...input }, { deployment }) => {
      const [link, { before }] = await Promise.all([
        showLink(deployment, input.project, input.code),
        historyEntry(deployment, input, id),
      ]);
      return { link, before };
    },
  ),

  /** The project's data that the page needs for routing, without its apps. */
  routing: consoleCall(z.object({ project }), async ({ project: id }, { deployment }) => {
    const [owner, association] = await Promise.all([
      findProject(deployment, id),
      deployment.stores.associations.find(id),
    ]);
    return { shortBase: shortBaseOf(owner, deployment.shortBase), association };
  }),

  createLink: consoleCall(
    z.object({ project, link: body(linkDraft) }),
    async (input, { deployment, indexes }) => {
      const { code } = await addLink(deployment, input.project, input.link);
      indexes.forget(input.project);
      const { shortUrl } = await showLink(deployment, input.project, code);
      return { code, shortUrl };
    },
  ),

  /** Takes the changes as a merge patch. */
  updateLink: linkChange(linkPlace.extend({ link: body(linkPatch) }), (deployment, { link, ...place }) =>
    changeLinkFields(deployment, place, link),
  ),

  setLinkStatus: linkChange(
    linkPlace.extend({ status: z.enum(['ACTIVE', 'PAUSED']) }),
    (deployment, { project: id, code, status }) => setLinkStatus(deployment, id, code, status),
  ),

  deleteLink: linkChange(linkPlace, (deployment, { project: id, code }) => removeLink(deployment, id, code)),

  /** Adds and removes tags of a link in any state. */
  tagLink: linkChange(
    linkPlace.extend({ add: namedTags.default([]), remove: namedTags.default([]) }),
    (deployment, { add, remove, ...place }) => tagLink(deployment, place, { add, remove }),
  ),

  /** Whether a code is free in a project. */
  codeIsFree: consoleCall(
    linkPlace,
    async (input, { deployment }) => !(await deployment.stores.links.isTaken(input.project, input.code)),
  ),
};
