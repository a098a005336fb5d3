import { listTags } from '../../core/api/link-tags.ts';
import { tagStore } from '../../core/links/link-tags.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(listTags, { tags: tagStore }, async ({ caller }, { tags: store }) => {
  const tags = await store.list(caller.project);
  return { tags, total: tags.length };
});
