import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { releaseContext, releaseFiles } from '../../../bin/release-templates.ts';
import { stacksOf } from '../../support/deployment.ts';
import { testAtNight } from '../../support/nightly.ts';
import { replacements, type StoredTemplate } from '../../support/replacements.ts';
import { root } from '../../support/source-files.ts';

const [templates, expected] = releaseFiles.map((file) => readFileSync(path.join(root, file)));

/** If a version is meant to delete or replace a resource, list it in `expected.json`; a release empties that file. */
testAtNight('an upgrade from the last release deletes and replaces only the expected resources', () => {
  const former: Record<string, StoredTemplate> = JSON.parse(gunzipSync(templates ?? '').toString());
  const now = stacksOf(releaseContext);
  expect(Object.keys(now).sort()).toEqual(expect.arrayContaining(Object.keys(former)));
  const found = Object.entries(former).flatMap(([name, one]) =>
    replacements(one, now[name]?.template ?? { Resources: {} }),
  );
  expect(found).toEqual(JSON.parse(String(expected)));
});

const of = (Type: string, Properties: object) =>
  ({ Resources: { One: { Type, Properties } } }) as StoredTemplate;

test.each([
  ['another id', of('AWS::SQS::Queue', {}), { Resources: {} }, 'One (AWS::SQS::Queue) is gone'],
  [
    'another type',
    of('AWS::SQS::Queue', {}),
    of('AWS::SNS::Topic', {}),
    'One (AWS::SQS::Queue) becomes AWS::SNS::Topic',
  ],
  [
    'a replacing property',
    of('AWS::SQS::Queue', { QueueName: 'a', DelaySeconds: 1 }),
    of('AWS::SQS::Queue', { QueueName: 'b', DelaySeconds: 2 }),
    'One (AWS::SQS::Queue) is replaced by QueueName',
  ],
])('%s of a resource is found', (_, former, now, message) => {
  expect(replacements(former, now)).toEqual([message]);
});
