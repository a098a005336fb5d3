import { api } from '../../../core/api/index.ts';
import { readRequest } from '../../../core/api/request.ts';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { namedPayloadFields } from '../../../core/links/payload-fields.ts';

const link = 'https://example.com';
const created = async (body: object) =>
  (await readRequest(api.createLink, { params: {}, query: {}, body: () => body })).body;
const updated = async (body: object) =>
  (await readRequest(api.updateLink, { params: { code: 'launch' }, query: {}, body: () => body })).body;

/** As it is stored: without undefined fields. */
const kept = (value: unknown) => JSON.parse(JSON.stringify(value));

const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const optional = namedPayloadFields.map(([name]) => name).filter((name) => name !== 'link');
const emptySections = Object.fromEntries(
  namedPayloadFields.flatMap(([name, entry]) =>
    'fields' in entry
      ? [[name, nulls([...Object.keys(entry.fields), ...('appId' in entry ? ['saveApp', 'appName'] : [])])]]
      : [],
  ),
);

test('on creation null is the same as nothing, at every level', async () => {
  const body = { code: null, name: null, expiresAt: null, payload: { link, ...nulls(optional) } };
  expect(kept(await created(body))).toEqual({ payload: { link } });
  const sections = kept(await created({ payload: { link, ...emptySections } }));
  expect(sections.payload).toEqual({
    link,
    ...Object.fromEntries(Object.keys(emptySections).map((name) => [name, {}])),
  });
});

test.each(['payload', 'link'])('%s can not be null', async (name) => {
  const body = name === 'payload' ? { payload: null } : { payload: { link: null } };
  await expect(created(body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(updated(body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('in an update null clears a field or a section, and is nothing inside a section', async () => {
  const clearing = { name: null, expiresAt: null, payload: { link, ...nulls(optional) } };
  expect(kept(await updated(clearing))).toEqual(clearing);
  const { ios } = examplePayload;
  const replacing = { payload: { link, ios: { ...ios, min_version: null, saveApp: null, appName: null } } };
  const { min_version, ...rest } = ios ?? {};
  expect(min_version).toBeDefined();
  expect(kept(await updated(replacing))).toEqual({ payload: { link, ios: rest } });
});

test('saving needs a name that is not null', async () => {
  const body = { payload: { link, ios: { bundleId: 'com.example', saveApp: true, appName: null } } };
  await expect(created(body)).rejects.toMatchObject({
    message: 'payload.ios.appName: is required with saveApp',
  });
});
