export interface Share {
  readonly name: string;
  readonly percent: number;
}

/** Shares of a whole, side by side. Hidden from screen readers, because the numbers are next to it. */
export const ShareBar = ({ shares }: { shares: readonly Share[] }) => (
  <div class="share-bar" aria-hidden="true">
    {shares.map(({ name, percent }, index) => (
      <span key={index} style={{ width: `${percent}%` }}>
        {percent >= 12 ? name : ''}
      </span>
    ))}
  </div>
);
