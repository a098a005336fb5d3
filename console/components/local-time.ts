const minuteMs = 60_000;

/** A time as a value of `datetime-local`, in the viewer's zone. */
export const toField = (iso: string | undefined): string => {
  if (iso === undefined) return '';
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
};

/**
 * The time in a field; `before`, with its seconds, if the field still shows it. Invalid text is returned unchanged, and the
 * server refuses it.
 */
export const fromField = (text: string, before?: string): string | undefined => {
  if (text === '') return undefined;
  if (before !== undefined && text === toField(before)) return before;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
};
