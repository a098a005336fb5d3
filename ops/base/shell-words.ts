/** An argument as a shell takes it. */
export const quoted = (text: string): string =>
  /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** An option with its value as a shell takes it; `true` is for one without a value. */
export const shellOption = (name: string, value: string | true): string => {
  if (value === true) return `--${name}`;
  return value.startsWith('-') ? quoted(`--${name}=${value}`) : `--${name} ${quoted(value)}`;
};
