import { useState } from 'preact/hooks';

const [first, most] = [50, 1000];

/** How many of a long list are asked for, and a button for more where there are more. */
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
