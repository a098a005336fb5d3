import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useFaults } from './faults.ts';

interface FieldProps {
  readonly label: string;
  /** What the API calls it; a fault of it is shown here. */
  readonly path?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly children: (ids: InputAttributes) => ComponentChildren;
}

interface InputAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** A label, an input, what is wrong with it, and its help. */
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
          {typeof hint === 'string' ? <Told text={hint} /> : hint}
        </p>
      )}
    </div>
  );
};

/** A text of the API's description, in which names stand between backticks. */
const Told = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>))}</>
);

interface TextFieldProps {
  readonly path?: string | undefined;
  readonly type?: 'url' | 'number' | 'datetime-local' | undefined;
  readonly required?: boolean;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
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
        // Preact's types have no input with a type known only at run time.
        type={type as 'text'}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )}
  </FormField>
);

interface ChoiceFieldProps {
  readonly path?: string | undefined;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  /** Values with their words. */
  readonly choices: readonly (readonly [string, string])[];
  readonly onChoice: (value: string) => void;
}

export const ChoiceField = ({ label, path, hint, value, choices, onChoice }: ChoiceFieldProps) => (
  <FormField label={label} path={path} hint={hint}>
    {(ids) => (
      <select {...ids} value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        {choices.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    )}
  </FormField>
);
