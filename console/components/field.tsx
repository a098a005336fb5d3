import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { labelOf } from '../views/links/labels.ts';
import { useFaults } from './faults.ts';

interface FieldProps {
  readonly label: string;
  /** The API's name for it; its faults are shown here. */
  readonly path?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly children: (ids: InputAttributes) => ComponentChildren;
}

interface InputAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** A label, an input, its faults and its hint. */
export const FormField = ({ label, path, hint, children }: FieldProps) => {
  const id = useId();
  const faults = useFaults(path);
  const about = [...(faults.length > 0 ? [`${id}-fault`] : []), ...(hint ? [`${id}-hint`] : [])];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': about.join(' ') || undefined,
        'aria-invalid': faults.length > 0 ? true : undefined,
      })}
      {faults.length > 0 && (
        <p class="fault-text" id={`${id}-fault`}>
          {faults.join('; ')}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {typeof hint === 'string' ? <HintText text={hint} /> : hint}
        </p>
      )}
    </div>
  );
};

/** A text of the API's description, with the form's labels for names between backticks. */
const HintText = ({ text }: { text: string }) => (
  <>
    {text
      .split('`')
      .map((part, i) => (i % 2 === 0 ? part : <b key={i}>{/^\w+$/.test(part) ? labelOf(part) : part}</b>))}
  </>
);

/** Adds the scheme to an address such as `example.com/spring`. */
const withScheme = (text: string): string =>
  /^[\p{L}\d-]+(\.[\p{L}\d-]+)*\.\p{L}{2,}(:\d+)?([/?#].*)?$/u.test(text.trim())
    ? `https://${text.trim()}`
    : text;

interface TextFieldProps {
  readonly path?: string | undefined;
  readonly type?: 'url' | 'number' | 'datetime-local' | undefined;
  readonly required?: boolean;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** Takes the focus when the view opens. */
  readonly autofocus?: boolean;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onText: (text: string) => void;
}

export const TextField = ({ label, path, hint, type, value, onText, ...rest }: TextFieldProps) => (
  <FormField label={label} path={path} hint={hint}>
    {(ids) => (
      <input
        autocomplete="off"
        spellcheck={false}
        {...rest}
        {...ids}
        // Preact's types need an input's type at compile time.
        type={type as 'text'}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
        // Before Enter sends the form, the address needs its scheme.
        onChange={({ currentTarget }) => {
          const whole = type === 'url' ? withScheme(currentTarget.value) : currentTarget.value;
          if (whole === currentTarget.value) return;
          currentTarget.value = whole;
          onText(whole);
        }}
      />
    )}
  </FormField>
);

interface ChoiceFieldProps {
  readonly path?: string | undefined;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  /** Values with their labels. */
  readonly choices: readonly (readonly [string, string])[];
  readonly onChoice: (value: string) => void;
}

export const ChoiceField = ({ label, path, hint, value, choices, onChoice }: ChoiceFieldProps) => (
  <FormField label={label} path={path} hint={hint}>
    {(ids) => <Select {...ids} value={value} choices={choices} onChoice={onChoice} />}
  </FormField>
);

type SelectProps = Pick<ChoiceFieldProps, 'value' | 'choices' | 'onChoice'> &
  ({ readonly 'aria-label': string } | InputAttributes);

export const Select = ({ choices, onChoice, ...rest }: SelectProps) => (
  <select {...rest} onChange={(event) => onChoice(event.currentTarget.value)}>
    {choices.map(([name, words]) => (
      <option key={name} value={name}>
        {words}
      </option>
    ))}
  </select>
);
