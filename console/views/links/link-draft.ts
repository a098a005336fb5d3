/**
 * A payload's settings by their paths, as `android.package`; empty text is not set. Its rules and data are lists of their own.
 */
export type FlatPayload = Readonly<Record<string, string>>;

export const flatten = (payload: object, path = ''): FlatPayload =>
  Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) =>
      isObject(value) && name !== 'data'
        ? Object.entries(flatten(value, `${path}${name}.`))
        : value === undefined || typeof value === 'object'
          ? []
          : [[path + name, String(value)]],
    ),
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

export const isPayloadEmpty = (fields: FlatPayload): boolean =>
  Object.values(fields).every((text) => text === '');

/**
 * What the user changed, as a merge patch: null clears. All else is left out, so that it stays as somebody else may have
 * set it in the meantime.
 */
export const changedSettings = (before: FlatPayload, now: FlatPayload): Record<string, unknown> =>
  patchTo(payloadOf(before), payloadOf(now));

type Json = Readonly<Record<string, unknown>>;

const patchTo = (old: Json, wanted: Json): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys({ ...old, ...wanted }).flatMap((name) => {
      const [was, is] = [old[name], wanted[name]];
      if (isObject(was) && isObject(is)) {
        const inside = patchTo(was, is);
        return Object.keys(inside).length > 0 ? [[name, inside]] : [];
      }
      return was === is ? [] : [[name, is ?? null]];
    }),
  );
