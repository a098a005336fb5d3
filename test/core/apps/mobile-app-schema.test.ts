import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { openApi } from '../../../core/api/openapi.ts';
import { appPlatforms, namedAppFields } from '../../../core/apps/app-fields.ts';
import { mobileAppDraft } from '../../../core/apps/mobile-app-schema.ts';
import { runs } from '../../support/nightly.ts';

// biome-ignore lint/suspicious/noExplicitAny: a part of the description
const description = openApi() as any;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const described = ajv
  .addSchema({ ...description, $id: 'api' })
  .compile({ $ref: 'api#/components/schemas/MobileAppDraft' });

const draft = fc.record(
  {
    platform: fc.constantFrom(...appPlatforms),
    name: fc.constant('Shop'),
    ...Object.fromEntries(
      namedAppFields.map(([field, { example }]) => [field, fc.constantFrom(example, null)]),
    ),
  },
  { requiredKeys: ['platform', 'name'] },
);

test('the description accepts exactly the apps that the service accepts', () => {
  const taken = new Set<boolean>();
  const app = { platform: 'IOS', name: 'Shop' } as const;
  // Random apps alone may all be refused.
  const complete = { ...app, bundleId: 'com.example.shop' };
  const examples: [typeof app][] = [[app], [complete]];
  fc.assert(
    fc.property(draft, (app) => {
      const isTaken = mobileAppDraft.safeParse(app).success;
      taken.add(isTaken);
      expect([app, described(app)]).toEqual([app, isTaken]);
    }),
    { numRuns: runs(100), examples },
  );
  expect(taken.size).toBe(2);
});
