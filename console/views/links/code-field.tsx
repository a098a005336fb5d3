import { useEffect, useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { TextField } from '../../parts/field.tsx';

interface CodeFieldProps {
  readonly project: string;
  readonly code: string;
  readonly onCode: (code: string) => void;
}

/** The code of a new link, with whether it is free. */
export const CodeField = ({ project, code, onCode }: CodeFieldProps) => {
  const [found, setFound] = useState<{ legal: boolean; free: boolean }>();
  useEffect(() => {
    setFound(undefined);
    if (code === '') return;
    const leaving = new AbortController();
    const later = setTimeout(() => {
      call('codeIsFree', { project, code }, { signal: leaving.signal }).then(setFound, () => undefined);
    }, 200);
    return () => {
      clearTimeout(later);
      leaving.abort();
    };
  }, [project, code]);
  return (
    <TextField
      label="Code"
      hint={
        <>
          The last part of the short URL; it can't be changed later. Empty: a random one.{' '}
          <b role="status">{said(found)}</b>
        </>
      }
      value={code}
      onText={(text) => onCode(text.trim())}
      placeholder="summer-sale"
      pattern="[A-Za-z0-9_\-]{3,50}"
    />
  );
};

const said = (found: { legal: boolean; free: boolean } | undefined): string => {
  if (found === undefined) return '';
  if (!found.legal) return 'A code has 3 to 50 letters, digits, hyphens and underscores.';
  return found.free ? 'Free.' : 'Taken. Codes of deleted links stay taken, too.';
};
