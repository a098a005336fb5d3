import { listTags } from '../../core/api/link-tags.ts';
import { serve } from '../serve.ts';

export const handler = serve(listTags, process.env, async ({ caller }, { tags: store }) => {
  const tags = await store.list(caller.project);
  return { tags, total: tags.length };
});
