import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly children: (ids: { id: string; 'aria-describedby': string | undefined }) => ComponentChildren;
}

/** A label, an input and its help. */
export const Field = ({ label, hint, children }: FieldProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hint ? `${id}-hint` : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

interface TextFieldProps {
  readonly type?: 'url' | 'datetime-local' | undefined;
  readonly required?: boolean;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onText: (text: string) => void;
}

export const TextField = ({ label, hint, type, value, onText, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint}>
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
  </Field>
);

interface ChoiceFieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  /** Values with their words. */
  readonly choices: readonly (readonly [string, string])[];
  readonly onChoice: (value: string) => void;
}

export const ChoiceField = ({ label, hint, value, choices, onChoice }: ChoiceFieldProps) => (
  <Field label={label} hint={hint}>
    {(ids) => (
      <select {...ids} value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        {choices.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
);
