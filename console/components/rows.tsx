import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { number } from '../format.ts';

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

const most = 8;

/** The first rows, and a button for all. */
export const Rows = <Row,>({ rows, children }: RowsProps<Row>) => {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {children(isWhole ? rows : rows.slice(0, most))}
      {rows.length > most && (
        <button type="button" class="quiet small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all (${number(rows.length)})`}
        </button>
      )}
    </>
  );
};
