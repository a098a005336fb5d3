import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { port } from '../calls/port.ts';
import { type CommandLine, shellLine } from '../command-line.ts';
import { CopyButton } from './copy.tsx';

/** The flags that name the target on the command line. */
export const DeploymentFlags = createContext('');

const kept = 'console-developers';

/** Operators are shown commands and calls until they close them, members once they open them. */
const isShown = (): boolean =>
  (localStorage.getItem(kept) ?? (port().isOperators ? 'shown' : 'hidden')) === 'shown';

interface CommandProps {
  /** Nothing if the command line can't do it. */
  readonly line?: CommandLine | undefined;
  /** The call of the public API, as `PUT /1.0/links/launch`. */
  readonly api?: string | undefined;
}

/** Which command or API call does the same. */
export const CommandHint = ({ line, api }: CommandProps) => {
  const flags = useContext(DeploymentFlags);
  const command = port().isOperators && line ? shellLine(line, flags) : undefined;
  return (
    <details
      class="command"
      open={isShown()}
      onToggle={({ currentTarget: { open } }) => localStorage.setItem(kept, open ? 'shown' : 'hidden')}
    >
      <summary>For developers</summary>
      {command && (
        <p>
          <span>Command</span> <code>{command}</code> <CopyButton text={command} what="the command" />
        </p>
      )}
      {api && (
        <p>
          <span>API</span> <code>{api}</code>
        </p>
      )}
    </details>
  );
};
