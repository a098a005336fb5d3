import { randomUUID } from 'node:crypto';
import { patchLink, updateLink } from '../../core/api/links.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import type { Link } from '../../core/links/link.ts';
import { check, settlePayload } from '../../core/links/link-draft.ts';
import { patched } from '../../core/links/link-patch.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { checkUnread, lookupsOf } from '../link-requests.ts';
import { endpointOf, serveMethods } from '../serve.ts';

const stores = { apps: appStore, destinations: destinationStore, links: linkStore };

const updated = { message: 'The link was updated' };

const put = endpointOf(updateLink, stores, async (input, granted) => {
  const { params, body, caller, now } = input;
  checkUnread(body, input);
  const { payload, apps } = settlePayload(body.payload, randomUUID, now);
  const checks = check(body, now, lookupsOf(input, granted));
  const link = { project: caller.project, code: params.code };
  await granted.links.update(link, { ...body, payload, apps }, { now, by: caller.user, checks });
  return updated;
});

const patch = endpointOf(patchLink, stores, async (input, granted) => {
  const { params, body, caller, now } = input;
  checkUnread({ payload: {}, ...body }, input);
  const choose = async (link: Link) => {
    const { judged, isChanged, ...next } = patched(link, body, randomUUID, now);
    await check(judged, now, lookupsOf(input, granted));
    return isChanged ? next : undefined;
  };
  const id = { project: caller.project, code: params.code };
  await granted.links.update(id, choose, { now, by: caller.user });
  return updated;
});

export const handler = serveMethods({ PUT: put, PATCH: patch });
