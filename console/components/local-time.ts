const minuteMs = 60_000;

/** What `datetime-local` shows of a time, in the viewer's zone. */
export const toField = (iso: string | undefined): string => {
  if (iso === undefined) return '';
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
};

/**
 * The time that a field names; `before` as it is, with its seconds, if the field still shows it. What is no time stays
 * what it is: the server says what is wrong with it.
 */
export const fromField = (text: string, before?: string): string | undefined => {
  if (text === '') return undefined;
  if (before !== undefined && text === toField(before)) return before;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
};
