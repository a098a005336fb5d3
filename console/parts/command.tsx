import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { CopyButton } from './copy.tsx';

/** The flags that name the target on the command line. */
export const TargetFlags = createContext('');

interface CommandProps {
  /** What follows `npm run -s admin --`; nothing if the command line can't do it. */
  readonly line?: string | undefined;
  /** The call of the public API, as `PUT /1.0/links/launch`. */
  readonly api?: string | undefined;
}

/** Which command or API call does the same. */
export const Command = ({ line, api }: CommandProps) => {
  const flags = useContext(TargetFlags);
  const command = line && `npm run -s admin -- ${[line, flags].filter((part) => part !== '').join(' ')}`;
  return (
    <div class="command">
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
    </div>
  );
};

/** An argument as a shell takes it. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
