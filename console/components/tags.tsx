import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCall } from '../calls/use-call.ts';
import { A } from '../router.tsx';
import { hyphened, takeTyped } from './typed-tags.ts';

interface TagsProps {
  readonly tags: readonly string[];
  readonly href: (tag: string) => string;
}

/** Tags, each with a link to the list of its links. */
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
  /** The label of an input that has no visible one. */
  readonly name?: string;
  readonly placeholder?: string;
  /** The input's attributes in a field. */
  readonly ids?: Readonly<Record<string, unknown>>;
}

/**
 * An input for several tags, which suggests the project's tags. A comma, Enter or leaving the input adds the typed one, with
 * hyphens for blanks. An invalid tag stays in the input, and its form isn't sent.
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
        // Links may have new tags.
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

/** Whether a suggestion was chosen. Typed text that equals one isn't added yet, because the tag may be longer. */
export const isChoice = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText';
