import type { ComponentChildren } from 'preact';

interface ScrollProps {
  readonly name: string;
  readonly rows: number;
  readonly children: ComponentChildren;
}

const mostRows = 8;

/** Many rows get a frame to scroll in, which the keyboard can reach. */
export const Scroll = ({ name, rows, children }: ScrollProps) =>
  rows <= mostRows ? (
    children
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus
    <section class="scroll" tabIndex={0} aria-label={name}>
      {children}
    </section>
  );
