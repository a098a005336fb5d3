import * as z from 'zod';
import type { Platform } from '../../../core/clicks/visitor.ts';
import { linkCode, linkDraft, linkEdit } from '../../../core/links/link-schema.ts';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { linkWarnings } from '../../../core/pages/link-warnings.ts';
import { qrSvg } from '../../../core/pages/qr-code.ts';
import { visitorRoutes } from '../../../core/pages/visitor-routes.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { type RoutedLink, savedAppId } from '../../../core/short-urls/routing.ts';
import { createLink, updateLink } from '../../link-edits.ts';
import { deleteLink, setLinkStatus, showLink } from '../../links.ts';
import type { Target } from '../../target.ts';
import { call } from '../call.ts';
import { project } from './projects.ts';

const one = z.object({ project, code: linkCode });

const appsOf = async (target: Target, projectId: string, payload: LinkPayload): Promise<Apps> => {
  const find = async (platform: Platform) => {
    const id = savedAppId({ status: 'ACTIVE', payload }, platform);
    return id === undefined ? undefined : target.stores.apps.find(projectId, id);
  };
  const [ios, android] = await Promise.all([find('ios'), find('android')]);
  return { ios: found(ios), android: found(android) };
};

/** A link as if it were live: of one that is not, people want to see where it would lead. */
const live = ({ payload }: Pick<RoutedLink, 'payload'>): RoutedLink => ({ status: 'ACTIVE', payload });

/** The settings of an app that a link can use; null is not set. */
const found = (app: object | undefined): Apps['ios'] & Apps['android'] =>
  app && Object.fromEntries(Object.entries(app).filter(([, value]) => value !== null));

export const linkCalls = {
  /** A link with where it leads and its QR code. */
  link: call(one, async (input, { target, now }) => {
    const link = await showLink(target, input.project, input.code);
    const [apps, association] = await Promise.all([
      appsOf(target, input.project, link.payload),
      target.stores.associations.find(input.project),
    ]);
    return {
      link,
      routes: visitorRoutes({ link: live(link), apps, shortUrl: link.shortUrl, query: '', now }),
      warnings: linkWarnings(live(link), apps, association),
      // A visitor who scans it is counted as such.
      qr: qrSvg(`${link.shortUrl}?qr`, { size: 512, margin: 2 }),
    };
  }),

  /** Where a payload would lead, before it is stored. */
  routes: call(
    z.object({ project, payload: z.record(z.string(), z.unknown()) }),
    async (input, { target, now }) => {
      const payload = input.payload as unknown as LinkPayload;
      const apps = await appsOf(target, input.project, payload);
      const shortUrl = `${target.shortBase}/${input.project}/code`;
      return visitorRoutes({ link: live({ payload }), apps, shortUrl, query: '', now });
    },
  ),

  createLink: call(z.object({ project, link: linkDraft }), async (input, { target, indexes }) => {
    const { code } = await createLink(target, input.project, input.link);
    indexes.forget(input.project);
    return { code };
  }),

  updateLink: call(one.extend({ link: linkEdit }), async ({ link, ...input }, { target, indexes }) => {
    await updateLink(target, input, link);
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
  codeIsFree: call(z.object({ project, code: z.string() }), async (input, { target }) => ({
    legal: linkCode.safeParse(input.code).success,
    free: !(await target.stores.links.code(input.project, input.code)),
  })),
};
