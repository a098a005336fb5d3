import * as z from 'zod';
import { endpoint } from '../../../core/api/endpoint.ts';
import { appStore } from '../../../core/apps/app-store.ts';
import { linkStore } from '../../../core/links/link-store.ts';
import { serve } from '../../../lambdas/frame/serve.ts';

/*
 * Mistakes that the types of contracts and handlers refuse. Nothing runs this: `npm run check` fails if a line below
 * @ts-expect-error compiles.
 */
const stated = {
  method: 'GET',
  tag: 'Mobile apps',
  summary: 'Get an app',
  status: 200,
  result: z.object({ id: z.string() }),
  failures: {},
  uses: ['apps.get'],
  example: { data: { id: 'one' } },
} as const;
const id = z.object({ id: z.string() });

const example = { params: { id: 'one' }, data: { id: 'one' } };

export const fitting = endpoint({ ...stated, path: '/apps/{id}', params: id, example });
export const withoutParameters = endpoint({ ...stated, path: '/apps' });

// @ts-expect-error A parameter of the path needs a schema.
endpoint({ ...stated, path: '/apps/{id}', example });

// @ts-expect-error A schema needs its parameter in the path.
endpoint({ ...stated, path: '/apps', params: id, example });

// @ts-expect-error The schema names another parameter than the path.
endpoint({ ...stated, path: '/apps/{appId}', params: id, example });

// @ts-expect-error The example lacks the parameter.
endpoint({ ...stated, path: '/apps/{id}', params: id });

// @ts-expect-error The example's data doesn't fit the result.
endpoint({ ...stated, path: '/apps', example: { data: { name: 'Shop' } } });

// @ts-expect-error No store has this operation.
endpoint({ ...stated, path: '/apps', uses: ['apps.forget'] });

// @ts-expect-error There is no such failure.
endpoint({ ...stated, path: '/apps', failures: { APP_TIRED: 'The app sleeps' } });

// @ts-expect-error There is no such scope.
endpoint({ ...stated, path: '/apps', scope: 'apps:juggle' });

// @ts-expect-error The description of the API doesn't describe this tag.
endpoint({ ...stated, path: '/apps', tag: 'Apps' });

const stores = { apps: appStore };

serve(fitting, stores, async ({ params, caller }, { apps }) => apps.get(caller.project, params.id));

// @ts-expect-error The contract doesn't declare that it deletes.
serve(fitting, stores, async ({ params, caller }, { apps }) => apps.delete(caller.project, params.id));

// @ts-expect-error The contract declares no operation of links.
serve(fitting, stores, async ({ caller }, { links }) => links.get(caller.project, 'code'));

// @ts-expect-error The path has no such parameter.
serve(fitting, stores, async ({ params }) => ({ id: params.code }));

// @ts-expect-error The contract takes no body.
serve(fitting, stores, async ({ body }) => ({ id: body.id }));

// @ts-expect-error The result has an id.
serve(fitting, stores, async () => ({ name: 'Shop' }));

// @ts-expect-error The contract's operations need the store of apps.
serve(fitting, {}, async ({ params, caller }, { apps }) => apps.get(caller.project, params.id));

// @ts-expect-error The contract declares no operation of links.
serve(fitting, { ...stores, links: linkStore }, async ({ params }) => ({ id: params.id }));
