import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from './notice.tsx';

interface OrderedProps<Item> {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly onChange: (items: Item[]) => void;
  /** The label of the button that adds an item. */
  readonly add: string;
  readonly create: () => Item;
  readonly most: number;
  readonly children: (item: Item, index: number) => ComponentChildren;
}

/**
 * A list with buttons to add, remove and move items, which keep the focus where the user continues. Rows can also be dragged
 * by their grips.
 */
export const Ordered = <Item extends { readonly id: number }>({
  items,
  nameOf,
  onChange,
  add,
  create,
  most,
  children,
}: OrderedProps<Item>) => {
  const around = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef('');
  const [drag, setDrag] = useState<{ readonly from: number; readonly over: number }>();
  // A row loses the focus when it moves in the document.
  useLayoutEffect(() => {
    if (wanted.current !== '') around.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = '';
  }, [items]);
  const move = (from: number, to: number, button?: string) => {
    const item = items[from];
    if (!item || from === to || to < 0 || to >= items.length) return;
    wanted.current = button === undefined ? '' : `[data-id="${item.id}"] .${button}`;
    onChange(items.toSpliced(from, 1).toSpliced(to, 0, item));
    announce(`${nameOf(item)} is number ${to + 1} of ${items.length} now`);
  };
  const remove = (index: number, item: Item) => {
    const next = items[index + 1] ?? items[index - 1];
    wanted.current = next ? `[data-id="${next.id}"] .remove` : '.add';
    onChange(items.toSpliced(index, 1));
    announce(`${nameOf(item)} is removed`);
  };
  const under = ({ clientX, clientY }: PointerEvent): number => {
    const row = document.elementFromPoint(clientX, clientY)?.closest('[data-id]');
    return row?.parentElement === list.current
      ? [...(list.current?.children ?? [])].indexOf(row as Element)
      : -1;
  };
  const follow = (event: PointerEvent) => {
    const over = under(event);
    if (over >= 0) setDrag((before) => before && { ...before, over });
  };
  return (
    <div ref={around} class="stack">
      <ol ref={list} class="ordered">
        {items.map((item, index) => (
          <li key={item.id} data-id={item.id} class={drag?.over === index ? dropClass(drag) : undefined}>
            <div class="ordered-head">
              <span
                class="grip"
                title="Drag to change the order"
                aria-hidden="true"
                onPointerDown={(event) => {
                  event.preventDefault();
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDrag({ from: index, over: index });
                }}
                onPointerMove={follow}
                onPointerUp={() => {
                  if (drag) move(drag.from, drag.over);
                  setDrag(undefined);
                }}
                onPointerCancel={() => setDrag(undefined)}
              >
                ⠿
              </span>
              <strong>
                {index + 1}. {nameOf(item)}
              </strong>
              <span class="buttons">
                {(['up', 'down'] as const).map((way) => {
                  const to = index + (way === 'up' ? -1 : 1);
                  return (
                    <button
                      key={way}
                      type="button"
                      class={`small ${way}`}
                      aria-label={`Move ${nameOf(item)} ${way}`}
                      // Not `disabled`: the button would lose the focus at the end of the list.
                      aria-disabled={to < 0 || to >= items.length}
                      onClick={() => move(index, to, way)}
                    >
                      {way === 'up' ? '↑' : '↓'}
                    </button>
                  );
                })}
                <button
                  type="button"
                  class="small remove"
                  aria-label={`Remove ${nameOf(item)}`}
                  onClick={() => remove(index, item)}
                >
                  Remove
                </button>
              </span>
            </div>
            {children(item, index)}
          </li>
        ))}
      </ol>
      <div class="buttons start">
        <button
          type="button"
          class="add"
          disabled={items.length >= most}
          onClick={() => {
            wanted.current = '.ordered > li:last-child input';
            onChange([...items, create()]);
          }}
        >
          {add}
        </button>
      </div>
    </div>
  );
};

const dropClass = ({ from, over }: { readonly from: number; readonly over: number }): string =>
  over === from ? 'dragged' : over < from ? 'drop-before' : 'drop-after';
