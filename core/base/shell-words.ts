/** An argument quoted for a shell. */
export const quoted = (text: string): string =>
  /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** An option with its value, quoted for a shell; `true` is for one without a value. */
export const shellOption = (name: string, value: string | true): string => {
  if (value === true) return `--${name}`;
  return value.startsWith('-') ? quoted(`--${name}=${value}`) : `--${name} ${quoted(value)}`;
};
