import type { ComponentChildren } from 'preact';
import type { CommandLine } from '../command-line.ts';
import type { Action } from '../use-call.ts';
import { Command } from './command.tsx';
import { Working } from './loaded.tsx';
import { Fault } from './notice.tsx';

interface FormProps {
  readonly action: Action;
  readonly submit: string;
  readonly onSubmit: () => void;
  readonly onCancel?: (() => void) | undefined;
  /** Of work that can be stopped. */
  readonly onStop?: (() => void) | undefined;
  readonly command?: CommandLine | undefined;
  readonly api?: string | undefined;
  readonly children: ComponentChildren;
}

/** Fields, what went wrong, the buttons, and the command that does the same. */
export const Form = ({ action, submit, onSubmit, onCancel, onStop, command, api, children }: FormProps) => (
  <form
    class="form"
    onSubmit={(event) => {
      event.preventDefault();
      if (!action.busy) onSubmit();
    }}
  >
    {children}
    {action.busy && <Working what={submit} progress={action.progress} />}
    {action.error && <Fault>{action.error}</Fault>}
    <div class="buttons start">
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
    </div>
    {(command || api) && <Command line={command} api={api} />}
  </form>
);
