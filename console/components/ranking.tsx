import type { ComponentChildren } from 'preact';
import { number, share } from '../format.ts';
import { Rows } from './rows.tsx';

interface Rank {
  readonly name: string;
  readonly label?: ComponentChildren;
  readonly count: number;
  /** Whether the plot shows it. */
  readonly isShown?: boolean;
}

interface RankingProps {
  readonly title: string;
  readonly unit?: string;
  readonly ranks: readonly Rank[];
  readonly note?: string;
  /** The total that shares refer to. @default the sum */
  readonly whole?: number;
}

/** Names by count, each with a bar of its share. */
export const Ranking = ({ title, unit = 'Clicks', ranks, note, ...props }: RankingProps) => {
  const { whole = ranks.reduce((sum, { count }) => sum + count, 0) } = props;
  const most = Math.max(1, ...ranks.map(({ count }) => count));
  return (
    <section class="card ranking">
      <h2>{title}</h2>
      {note && <p class="soft">{note}</p>}
      {ranks.length === 0 ? (
        <p class="soft">No data for this range</p>
      ) : (
        <Rows rows={ranks}>
          {(rows) => (
            <table>
              <thead class="unseen">
                <tr>
                  <th scope="col">{title}</th>
                  <th scope="col">{unit}</th>
                  <th scope="col">Share</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, label, count, isShown }) => (
                  <tr key={name} class={isShown ? 'shown' : undefined}>
                    <th scope="row">
                      <span class="bar" style={{ width: `${(count / most) * 94}%` }} />
                      <span class="name">{label ?? name}</span>
                    </th>
                    <td class="number">{number(count)}</td>
                    <td class="number soft">{share(count, whole)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Rows>
      )}
    </section>
  );
};
