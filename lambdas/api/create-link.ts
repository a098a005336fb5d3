import { createLink } from '../../core/api/links.ts';
import { createdAnswer, type MadeLink, makeLink } from '../../core/links/link-creation.ts';
import { checkUnread, creationContext } from '../link-requests.ts';
import { serve } from '../serve.ts';

export const handler = serve(createLink, process.env, async (input, stores) => {
  const { body, retry } = input;
  const made = await retry.once(async (remember) => {
    checkUnread(body, input);
    return makeLink(body, await creationContext(input, stores, [body]), remember);
  });
  return createdAnswer(body, made as MadeLink);
});
