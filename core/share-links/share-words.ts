/** Line breaks of every kind, which would let a text pose as several. */
const breaks = /[\n\v\f\r\u0085\u2028\u2029]/;

/** Labels of host names joined by dots, also by those of Chinese and Japanese, which browsers read as dots. */
const labels = /[\p{L}\p{M}\p{N}-]+(?:[.。．｡][\p{L}\p{M}\p{N}-]+)+/gu;

/** Whether a label could end a host name: at least two letters and no digit. */
const endsHost = (label: string): boolean => !/\p{N}/u.test(label) && /\p{L}.*\p{L}/u.test(label);

/** Whether a text contains something that people or programs take for a web address. */
export const hasWebAddress = (text: string): boolean =>
  /:\/\/|www\./i.test(text) ||
  [...text.matchAll(labels)].some(([host]) =>
    host
      .split(/[.。．｡]/)
      .slice(1)
      .some(endsHost),
  );

export const hasLineBreak = (text: string): boolean => breaks.test(text);
