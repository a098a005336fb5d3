import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCall } from '../calls/use-call.ts';
import { A } from '../router.tsx';
import { hyphened, takeTyped } from './typed-tags.ts';

interface TagsProps {
  readonly tags: readonly string[];
  /** Where a tag leads. */
  readonly href: (tag: string) => string;
}

/** Tags, each of which leads to the links that have it. */
export const TagLinks = ({ tags, href }: TagsProps) =>
  tags.length === 0 ? null : (
    <ul class="tags">
      {tags.map((tag) => (
        <li key={tag}>
          <A class="tag" href={href(tag)}>
            {tag}
          </A>
        </li>
      ))}
    </ul>
  );

interface TagsInputProps {
  readonly project: string;
  readonly tags: readonly string[];
  readonly onTags: (tags: readonly string[]) => void;
  /** For an input without a label of its own. */
  readonly name?: string;
  readonly placeholder?: string;
  /** Of the input in a field. */
  readonly ids?: Readonly<Record<string, unknown>>;
}

/**
 * Several tags: those of the project are offered while one is typed; a comma, Enter or leaving the input ends it.
 * Blanks become hyphens, which is shown.
 * What can't be a tag stays in the input, and its form isn't sent.
 */
export const TagsInput = ({ project, tags, onTags, name, placeholder, ids }: TagsInputProps) => {
  const [{ text, fault }, setTyped] = useState<{ readonly text: string; readonly fault?: string }>({
    text: '',
  });
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const asked = useCall('tags', { project }, project);
  useLayoutEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault]);
  const add = (typed: string) => {
    const { tags: all, rest, fault } = takeTyped(typed, tags);
    setTyped({ text: rest, ...(fault && { fault }) });
    if (all.length > tags.length) onTags(all);
  };
  return (
    <div class="tags-input">
      <ul class="tags">
        {tags.map((tag) => (
          <li key={tag} class="tag">
            {tag}
            <button
              type="button"
              class="quiet small"
              aria-label={`Remove ${tag}`}
              onClick={() => {
                onTags(tags.filter((one) => one !== tag));
                input.current?.focus();
              }}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <input
        {...ids}
        ref={input}
        aria-label={name}
        {...(fault && { 'aria-invalid': true, 'aria-describedby': `${id}-fault` })}
        autocomplete="off"
        spellcheck={false}
        list={`${id}-known`}
        placeholder={placeholder}
        value={text}
        onInput={(event) => {
          const { value } = event.currentTarget;
          if (isChoice(event) || value.includes(',')) add(value);
          else setTyped({ text: value });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text.trim() !== '') {
            event.preventDefault();
            add(text);
          }
          if (event.key === 'Backspace' && text === '' && tags.length > 0) onTags(tags.slice(0, -1));
        }}
        // Links may have got new ones since.
        onFocus={asked.reload}
        onBlur={() => add(text)}
      />
      {/\S\s+\S/.test(text) && (
        <p class="hint" role="status">
          Becomes <b>{hyphened(text)}</b>: a comma separates tags.
        </p>
      )}
      {fault && (
        <p class="fault-text" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
      <datalist id={`${id}-known`}>
        {(asked.data ?? [])
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </div>
  );
};

/** A choice of the browser's list comes as a whole. A tag that is typed may begin as another one does. */
const isChoice = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText';
