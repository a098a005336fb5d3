import { useState } from 'preact/hooks';

const [first, most] = [50, 1000];

/** The number of entries to request of a long list, and a button for more. */
export const usePortion = () => {
  const [limit, setLimit] = useState(first);
  const more = (hasMore: boolean) =>
    hasMore && limit === first ? (
      <p>
        <button type="button" onClick={() => setLimit(most)}>
          Show up to 1,000
        </button>
      </p>
    ) : null;
  return [limit, more] as const;
};
