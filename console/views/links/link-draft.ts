import { isRecord } from '../../../core/base/record.ts';
import { patchBetween } from '../../../core/links/merge-patch.ts';

/**
 * A payload's settings by their paths, as `android.package`; empty text is not set. Its rules and data are lists of their own.
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

/** The payload without unset values. */
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
 * What the user changed, as a merge patch: null clears. All else is left out, so that it stays as somebody else may have
 * set it in the meantime.
 */
export const changedSettings = (before: FlatPayload, now: FlatPayload): Record<string, unknown> =>
  patchBetween(payloadOf(before), payloadOf(now)) as Record<string, unknown>;
