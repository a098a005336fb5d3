import { createLink } from '../../core/api/links.ts';
import { createdAnswer, type MadeLink, makeLink } from '../../core/links/link-creation.ts';
import { surroundingsOf } from '../../core/links/link-draft.ts';
import { checkUnread, lookupsOf, roomOf } from '../link-requests.ts';
import { serve } from '../serve.ts';

export const handler = serve(createLink, process.env, async (input, stores) => {
  const { body, caller, retry } = input;
  const made = await retry.once(async (remember) => {
    checkUnread(body, input);
    const [project, surroundings, room] = await Promise.all([
      stores.projects.get(caller.project),
      surroundingsOf([body], lookupsOf(input, stores)),
      roomOf(input, stores),
    ]);
    return makeLink(body, { ...input, ...stores, project, surroundings, room }, remember);
  });
  return createdAnswer(body, made as MadeLink);
});
