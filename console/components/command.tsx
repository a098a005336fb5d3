import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { client } from '../calls/client.ts';
import { type CommandLine, shellLine } from '../command-line.ts';
import { CopyButton } from './copy.tsx';

/** The flags that name the deployment on the command line. */
export const DeploymentFlags = createContext('');

const kept = 'console-developers';

/** Hints are closed until somebody opens one. */
const isShown = (): boolean => localStorage.getItem(kept) === 'shown';

interface CommandProps {
  /** Undefined if the command line can't do it. */
  readonly line?: CommandLine | undefined;
  /** The public API's call, such as `PUT /1.0/links/launch`. */
  readonly api?: string | undefined;
}

/** The equivalent command or API call. */
export const CommandHint = ({ line, api }: CommandProps) => {
  const flags = useContext(DeploymentFlags);
  const command = client().isOperators && line ? shellLine(line, flags) : undefined;
  if (!command && !api) return null;
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
