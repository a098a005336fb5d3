/** Files' names for one folder: on Windows and macOS, names that differ only in case collide. Codes contain no parentheses. */
export const namesApart = (names: readonly string[]): string[] => {
  const known: string[] = [];
  return names.map((name) => {
    const twins = known.filter((one) => one === name.toLowerCase()).length;
    known.push(name.toLowerCase());
    return twins > 0 ? name.replace(/(?=\.\w+$)/, ` (${twins + 1})`) : name;
  });
};
