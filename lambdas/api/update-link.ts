import { randomUUID } from 'node:crypto';
import { updateLink } from '../../core/api/links.ts';
import { check, settlePayload } from '../../core/links/link-draft.ts';
import { checkUnread, lookupsOf } from '../link-requests.ts';
import { serve } from '../serve.ts';

export const handler = serve(updateLink, process.env, async (input, stores) => {
  const { params, body, caller, now } = input;
  checkUnread(body, input);
  const { payload, apps } = settlePayload(body.payload, randomUUID, now);
  const checks = check(body, now, lookupsOf(input, stores));
  const link = { project: caller.project, code: params.code };
  await stores.links.update(link, { ...body, payload, apps }, { now, by: caller.user, checks });
  return { message: 'The link was updated' };
});
