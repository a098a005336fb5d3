import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly name: ComponentChildren;
  /** A soft text below the value. */
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** An entry of a list of facts or totals. */
export const Fact = ({ name, note, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
    {note && <dd class="before">{note}</dd>}
  </div>
);
