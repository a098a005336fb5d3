import { isRecord } from '../../../core/base/record.ts';
import { patchBetween } from '../../../core/links/merge-patch.ts';

/**
 * A payload's settings by path, such as `android.package`; empty text means unset. Rules and data are separate lists.
 */
export type FlatPayload = Readonly<Record<string, string>>;

export const flatten = (payload: object, path = ''): FlatPayload =>
  Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) =>
      isRecord(value) && name !== 'data'
        ? Object.entries(flatten(value, `${path}${name}.`))
        : value === undefined || typeof value === 'object'
          ? []
          : [[path + name, String(value)]],
    ),
  );

export const payloadOf = (fields: FlatPayload): Record<string, unknown> => {
  const payload: Record<string, unknown> = {};
  for (const [path, text] of Object.entries(fields)) {
    if (text === '') continue;
    const [section = '', field] = path.split('.');
    if (field === undefined) payload[section] = text;
    else payload[section] = { ...(payload[section] as object | undefined), [field]: text };
  }
  return payload;
};

/**
 * The user's changes as a merge patch, in which null clears. Other settings are omitted, so that concurrent changes of
 * others stay.
 */
export const changedSettings = (before: FlatPayload, now: FlatPayload): Record<string, unknown> =>
  patchBetween(payloadOf(before), payloadOf(now)) as Record<string, unknown>;
