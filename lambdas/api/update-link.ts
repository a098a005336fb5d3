import { randomUUID } from 'node:crypto';
import { patchLink, updateLink } from '../../core/api/links.ts';
import type { Link } from '../../core/links/link.ts';
import { check, settlePayload } from '../../core/links/link-draft.ts';
import { patched } from '../../core/links/link-patch.ts';
import { checkUnread, lookupsOf } from '../link-requests.ts';
import { endpointOf, serveMethods } from '../serve.ts';

const updated = { message: 'The link was updated' };

const put = endpointOf(updateLink, async (input, stores) => {
  const { params, body, caller, now } = input;
  checkUnread(body, input);
  const { payload, apps } = settlePayload(body.payload, randomUUID, now);
  const checks = check(body, now, lookupsOf(input, stores));
  const link = { project: caller.project, code: params.code };
  await stores.links.update(link, { ...body, payload, apps }, { now, by: caller.user, checks });
  return updated;
});

const patch = endpointOf(patchLink, async (input, stores) => {
  const { params, body, caller, now } = input;
  checkUnread({ payload: {}, ...body }, input);
  const choose = async (link: Link) => {
    const { judged, isChanged, ...next } = patched(link, body, randomUUID, now);
    await check(judged, now, lookupsOf(input, stores));
    return isChanged ? next : undefined;
  };
  const id = { project: caller.project, code: params.code };
  await stores.links.update(id, choose, { now, by: caller.user });
  return updated;
});

export const handler = serveMethods(process.env, { PUT: put, PATCH: patch });
