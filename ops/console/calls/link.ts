import * as z from 'zod';
import { limits } from '../../../core/base/limits.ts';
import { linkDraft, linkPatch } from '../../../core/links/link-schema.ts';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import { visitorRoutes } from '../../../core/pages/visitor-routes.ts';
import { createLink, patchLink } from '../../links/link-edits.ts';
import { reachOf, reasonsOf } from '../../links/link-reach.ts';
import { deleteLink, setLinkStatus, showLink } from '../../links/links.ts';
import { appsOf, live, warningsOf } from '../../links/live-link.ts';
import { call } from '../call.ts';
import { project } from './projects.ts';

const one = z.object({ project, code: linkCode });

export const linkCalls = {
  /** A link with where it leads, and why it leads nowhere if it does. */
  link: call(one, async (input, { target, now }) => {
    const link = await showLink(target, input.project, input.code);
    const [apps, warnings] = await Promise.all([
      appsOf(target, input.project, link.payload),
      warningsOf(target, link),
    ]);
    const routes = visitorRoutes({ link: live(link), apps, shortUrl: link.shortUrl, query: '', now });
    const reach = await reachOf(
      target,
      link,
      routes.flatMap(({ url }) => url ?? []),
    );
    return {
      link,
      routes,
      state: reach.stopped?.state,
      reasons: reasonsOf(reach),
      blockedHosts: reach.blockedHosts,
      warnings,
    };
  }),

  createLink: call(z.object({ project, link: linkDraft }), async (input, { target, indexes }) => {
    const { code } = await createLink(target, input.project, input.link);
    indexes.forget(input.project);
    return { code };
  }),

  /** Takes what changed, as a merge patch. */
  updateLink: call(one.extend({ link: linkPatch }), async ({ link, ...input }, { target, indexes }) => {
    await patchLink(target, input, link);
    await indexes.refresh(input.project, input.code);
    return null;
  }),

  setLinkStatus: call(
    one.extend({ status: z.enum(['ACTIVE', 'PAUSED']) }),
    async (input, { target, indexes }) => {
      await setLinkStatus(target, input.project, input.code, input.status);
      await indexes.refresh(input.project, input.code);
      return null;
    },
  ),

  deleteLink: call(one, async (input, { target, indexes }) => {
    await deleteLink(target, input.project, input.code);
    await indexes.refresh(input.project, input.code);
    return null;
  }),

  /** Whether a code is free in a project. */
  codeIsFree: call(z.object({ project, code: z.string().max(limits.name) }), async (input, { target }) => ({
    legal: linkCode.safeParse(input.code).success,
    free: !(await target.stores.links.isTaken(input.project, input.code)),
  })),
};
