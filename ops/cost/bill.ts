/** A line of a bill: its subject, its calculation, dollars. */
export type Line = readonly [what: string, how: string, dollars: number];

export const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, [, , dollars]) => sum + dollars, 0);

/** A number rounded to two decimals. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** A bill as a table in Markdown, with its total. */
export const bill = (lines: readonly Line[]): string =>
  [
    '| | | dollars |',
    '| --- | --- | ---: |',
    ...lines.map(([what, how, dollars]) => `| ${what} | ${how} | ${dollars.toFixed(2)} |`),
    `| **total** | | **${sumOf(lines).toFixed(2)}** |`,
  ].join('\n');
