import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TransferProgress } from '../../ops/console-server/progress.ts';
import { useAction } from '../calls/use-call.ts';
import type { CommandLine } from '../command-line.ts';
import { CommandHint } from './command.tsx';
import { TextField } from './field.tsx';
import { Working } from './loaded.tsx';
import { announce, FaultNotice } from './notice.tsx';

export interface Question {
  readonly title: string;
  /** The effect, and whether it can be undone. */
  readonly body: ComponentChildren;
  readonly action: string;
  readonly dangerous?: boolean;
  /** A text that the user has to type to confirm. */
  readonly typed?: string;
  readonly command?: CommandLine | undefined;
  readonly api?: string | undefined;
  /** An optional text, such as a reason. */
  readonly asks?: { readonly label: string; readonly hint: string };
  /** Announced after the work. */
  readonly done?: string;
  /** `text` is the answer to `asks`, empty without one. */
  readonly work: (onProgress: (progress: TransferProgress) => void, text: string) => Promise<unknown>;
}

interface ConfirmProps {
  readonly question: Question;
  readonly onDone: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Asks before something is done. Escape and Cancel change nothing. */
const Confirm = ({ question, onDone, onClose }: ConfirmProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const action = useAction();
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const cancel = useRef<HTMLButtonElement>(null);
  // Before the paint, so that the first keys go to the dialog's first field or, without one, to Cancel.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    if (!dialog.current?.querySelector('input')) cancel.current?.focus();
  }, []);
  const { title, body, dangerous, command, api } = question;
  const missing = question.typed !== undefined && typed !== question.typed;
  const confirm = (event: Event) => {
    event.preventDefault();
    if (missing || action.busy) return;
    action.run(async (onProgress) => {
      await question.work(onProgress, text.trim());
      if (question.done !== undefined) {
        announce(question.done);
        onDone?.();
      }
      onClose();
    });
  };
  return (
    <dialog ref={dialog} aria-labelledby="question" onClose={onClose}>
      <form onSubmit={confirm}>
        <h2 id="question">{title}</h2>
        <div class="prose">{body}</div>
        {question.typed !== undefined && (
          <label class="field">
            <span>
              Type <code>{question.typed}</code> to go on
            </span>
            <input
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
              autocomplete="off"
            />
          </label>
        )}
        {question.asks && <TextField {...question.asks} value={text} onText={setText} />}
        {(command || api) && <CommandHint line={command} api={api} />}
        {action.busy && <Working what={title} progress={action.progress} />}
        {action.error && <FaultNotice>{action.error}</FaultNotice>}
        <div class="buttons">
          <button ref={cancel} type="button" onClick={onClose} disabled={action.busy}>
            Cancel
          </button>
          <button type="submit" class={dangerous ? 'danger' : 'primary'} disabled={missing || action.busy}>
            {question.action}
          </button>
        </div>
      </form>
    </dialog>
  );
};

/** Shows one question at a time. `onDone` follows the announcement of a question's `done`. */
export const useQuestion = (onDone?: () => void) => {
  const [asked, setAsked] = useState<{ readonly question: Question; readonly id: number }>();
  const ask = (question: Question) => setAsked((before) => ({ question, id: (before?.id ?? 0) + 1 }));
  // A dialog that closes late must not close the next question.
  const close = () => setAsked((now) => (now === asked ? undefined : now));
  const dialog = asked && (
    <Confirm key={asked.id} question={asked.question} onDone={onDone} onClose={close} />
  );
  return [dialog, ask] as const;
};
