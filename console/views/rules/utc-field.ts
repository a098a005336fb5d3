/** What `datetime-local` shows of a time, in UTC. */
export const toField = (iso: string | undefined): string => iso?.slice(0, 16) ?? '';

/** The time that a field names; `before` as it is, with its seconds, if the field still shows it. */
export const fromField = (text: string, before?: string): string | undefined => {
  if (text === '') return undefined;
  if (before !== undefined && text === toField(before)) return before;
  return `${text}${text.length === 16 ? ':00' : ''}Z`;
};
