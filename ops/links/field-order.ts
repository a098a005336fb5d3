import { ownFieldNames } from '../../core/links/own-fields.ts';
import { namedPayloadFields } from '../../core/links/payload-fields.ts';

const linkFields = [
  ...['id', 'code', 'shortUrl', ...ownFieldNames.filter((name) => name !== 'expiresAt')],
  ...['status', 'blocked', 'blockedAt', 'blockedReason', 'groups', 'qrCode'],
  ...['createdAt', 'expiresAt', 'clickCount', 'payload', 'projectId', 'createdBy', 'updatedBy', 'updatedAt'],
  ...['shortLink', 'originalUrl', 'previewLink', 'analytics'],
];

/** The fields of a link in the order of the API's responses. The table returns those of an item in any order. */
export const linkInOrder = <Shown extends { readonly payload: object }>(link: Shown): Shown =>
  inOrder({ ...link, payload: payloadInOrder(link.payload) }, linkFields);

const payloadInOrder = (payload: object): object => {
  const sections = new Map<string, (typeof namedPayloadFields)[number][1]>(namedPayloadFields);
  const inside = Object.entries(payload).map(([name, value]) => {
    const entry = sections.get(name);
    return [name, entry && 'fields' in entry ? inOrder(value, Object.keys(entry.fields)) : value];
  });
  return inOrder(Object.fromEntries(inside), [...sections.keys(), 'rules']);
};

/** The same record, with these fields first. */
const inOrder = <Shown extends object>(record: Shown, names: readonly string[]): Shown => {
  const first = names.filter((name) => name in record);
  const fields = first.map((name) => [name, record[name as keyof Shown]]);
  return { ...Object.fromEntries(fields), ...record };
};
