import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Action } from '../calls/use-call.ts';
import type { CommandLine } from '../command-line.ts';
import { fieldName } from '../views/links/labels.ts';
import { CommandHint } from './command.tsx';
import { FormFaults } from './faults.ts';
import { Working } from './loaded.tsx';
import { FaultNotice } from './notice.tsx';

interface FormProps {
  readonly action: Action;
  readonly submit: string;
  readonly onSubmit: () => void;
  readonly onCancel?: (() => void) | undefined;
  /** Set if the work can be stopped. */
  readonly onStop?: (() => void) | undefined;
  readonly command?: CommandLine | undefined;
  readonly api?: string | undefined;
  /** Further buttons. */
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Fields, the failure, the buttons, and the equivalent command. */
export const Form = ({
  action,
  submit,
  onSubmit,
  onCancel,
  onStop,
  command,
  api,
  more,
  children,
}: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => showFaults(form.current), [action.faults]);
  return (
    <form
      ref={form}
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!action.busy) onSubmit();
      }}
    >
      <FormFaults.Provider value={action.faults}>{children}</FormFaults.Provider>
      {action.busy && <Working what={submit} progress={action.progress} />}
      <FaultOf action={action} />
      <div class="buttons start save-bar">
        <button type="submit" class="primary" disabled={action.busy}>
          {submit}
        </button>
        {action.busy && onStop && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
        {onCancel && (
          <button type="button" onClick={onCancel} disabled={action.busy}>
            Cancel
          </button>
        )}
        {more}
      </div>
      {(command || api) && <CommandHint line={command} api={api} />}
    </form>
  );
};

/** Why a form is refused, with fields by their labels. */
const FaultOf = ({ action: { error, faults } }: { action: Action }) =>
  error === undefined ? null : (
    <FaultNotice>
      {faults.length === 0 ? (
        error
      ) : (
        <ul>
          {faults.map(({ field, message }) => (
            <li key={field + message}>
              <b>{fieldName(field)}</b>: {message}
            </li>
          ))}
        </ul>
      )}
    </FaultNotice>
  );

interface FormSectionProps extends FormProps {
  readonly title: string;
  /** Shown above the form while the list is empty. */
  readonly empty?: { readonly title: string; readonly text: ComponentChildren } | false;
}

/** A form below its list, or with a text for an empty list. */
export const FormSection = ({ title, empty, ...form }: FormSectionProps) => (
  <section class={empty ? 'empty' : 'stack'}>
    <h2>{empty ? empty.title : title}</h2>
    {empty && <p>{empty.text}</p>}
    <Form {...form} />
  </section>
);

/** Opens sections that hide a fault, and focuses the first. */
const showFaults = (form: HTMLFormElement | null): void => {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[aria-invalid], [data-fault]') ?? [])];
  for (const field of fields) {
    for (
      let around = field.closest('details');
      around;
      around = around.parentElement?.closest('details') ?? null
    )
      around.open = true;
  }
  fields[0]?.focus();
};
