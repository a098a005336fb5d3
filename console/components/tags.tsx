import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCall } from '../calls/use-call.ts';
import { A } from '../router.tsx';
import { hyphenate, type Typed, takeTyped } from './typed-tags.ts';

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

interface InputProps {
  /** The label of an input that has no visible one. */
  readonly name?: string;
  readonly placeholder?: string;
  /** The input's attributes in a field. */
  readonly ids?: Readonly<Record<string, unknown>>;
}

interface ChipsInputProps extends InputProps {
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
  /** Adds typed values to the others; invalid ones stay as text. */
  readonly take: (text: string, values: readonly string[]) => Typed;
  /** The possible values, each with its name. */
  readonly known: readonly (readonly [value: string, name: string])[];
  readonly nameOf?: (value: string) => string;
  readonly hint?: (text: string) => ComponentChildren;
  readonly onFocus?: () => void;
}

/**
 * An input for several values, which suggests the possible ones. A comma, Enter or leaving the input adds the typed one. An
 * invalid value stays in the input, and its form isn't sent.
 */
export const ChipsInput = (props: ChipsInputProps) => {
  const { values, onValues, take, known, nameOf = String, hint, name, placeholder, ids, onFocus } = props;
  const [{ text, fault }, setTyped] = useState<{ readonly text: string; readonly fault?: string }>({
    text: '',
  });
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault]);
  const add = (typed: string) => {
    const { all, rest, fault } = take(typed, values);
    setTyped({ text: rest, ...(fault && { fault }) });
    if (all.length > values.length) onValues(all);
  };
  return (
    <div class="tags-input">
      <ul class="tags">
        {values.map((value) => (
          <li key={value} class="tag">
            {nameOf(value)}
            <button
              type="button"
              class="quiet small"
              aria-label={`Remove ${nameOf(value)}`}
              onClick={() => {
                onValues(values.filter((one) => one !== value));
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
          if (event.key === 'Backspace' && text === '' && values.length > 0) onValues(values.slice(0, -1));
        }}
        onFocus={onFocus}
        onBlur={() => add(text)}
      />
      {hint?.(text)}
      {fault && (
        <p class="fault-text" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
      <datalist id={`${id}-known`}>
        {known.map(([value, label]) => (
          <option key={value} value={label} />
        ))}
      </datalist>
    </div>
  );
};

interface TagsInputProps extends InputProps {
  readonly project: string;
  readonly tags: readonly string[];
  readonly onTags: (tags: readonly string[]) => void;
}

/** An input for several tags, with hyphens for blanks. */
export const TagsInput = ({ project, tags, onTags, ...rest }: TagsInputProps) => {
  const asked = useCall('tags', { project }, project);
  return (
    <ChipsInput
      {...rest}
      values={tags}
      onValues={onTags}
      take={takeTyped}
      known={(asked.data ?? []).filter((tag) => !tags.includes(tag)).map((tag) => [tag, tag])}
      // Links may have new tags.
      onFocus={asked.reload}
      hint={(text) =>
        /\S\s+\S/.test(text) && (
          <p class="hint" role="status">
            Becomes <b>{hyphenate(text)}</b>: a comma separates tags.
          </p>
        )
      }
    />
  );
};

/** Whether a suggestion was chosen. Typed text that equals one isn't added yet, because the tag may be longer. */
export const isChoice = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText';
