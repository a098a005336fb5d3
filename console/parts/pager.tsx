import { number } from '../format.ts';

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly go: (page: number) => void;
}

export const Pager = ({ page, pages, go }: PagerProps) =>
  pages <= 1 ? null : (
    <nav class="pager" aria-label="Pages">
      <button type="button" class="wide" disabled={page <= 1} onClick={() => go(1)} aria-label="First page">
        «
      </button>
      <button type="button" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </button>
      <span>
        Page {number(page)} of {number(pages)}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => go(page + 1)}>
        Next
      </button>
      <button
        type="button"
        class="wide"
        disabled={page >= pages}
        onClick={() => go(pages)}
        aria-label="Last page"
      >
        »
      </button>
    </nav>
  );
