import type { Pagination } from '../../client/types.ts';
import { number } from '../format.ts';

interface PagerProps {
  /** The shown page's cursor; empty for the first. */
  readonly cursor: string;
  readonly pagination: Pagination;
  readonly go: (cursor: string) => void;
}

/** The cursors of the pages around this one. Without numbers, they are the next and the first page. */
const aroundOf = ({ cursor, pagination }: Omit<PagerProps, 'go'>) => {
  if ('nextCursor' in pagination) return { isFirst: cursor === '', next: pagination.nextCursor };
  const { page, totalPages } = pagination;
  return {
    isFirst: page === 1,
    previous: page > 1 ? String(page - 1) : null,
    next: page < totalPages ? String(page + 1) : null,
    last: page < totalPages ? String(totalPages) : null,
    words: `Page ${number(page)} of ${number(totalPages)}`,
  };
};

export const Pager = ({ go, ...where }: PagerProps) => {
  const { isFirst, previous, next, last, words } = aroundOf(where);
  if (isFirst && next === null) return null;
  const to = (cursor: string | null) => ({
    type: 'button' as const,
    disabled: cursor === null,
    onClick: () => go(cursor ?? ''),
  });
  return (
    <nav class="pager" aria-label="Pages">
      <button
        {...to(isFirst ? null : '')}
        class={previous === undefined ? undefined : 'wide'}
        aria-label="First page"
      >
        «
      </button>
      {previous !== undefined && <button {...to(previous)}>Previous</button>}
      {words && <span>{words}</span>}
      <button {...to(next)}>Next</button>
      {last !== undefined && (
        <button {...to(last)} class="wide" aria-label="Last page">
          »
        </button>
      )}
    </nav>
  );
};
