import { useEffect, useState } from 'preact/hooks';
import { codePattern } from '../../../core/links/link.ts';
import { callService } from '../../calls/port.ts';
import { TextField } from '../../components/field.tsx';

interface CodeFieldProps {
  readonly project: string;
  readonly code: string;
  readonly onCode: (code: string) => void;
}

/** The code of a new link. Shows whether it is free. */
export const CodeField = ({ project, code, onCode }: CodeFieldProps) => {
  const [isFree, setFree] = useState<boolean>();
  useEffect(() => {
    setFree(undefined);
    if (!codePattern.test(code)) return;
    const leaving = new AbortController();
    const later = setTimeout(() => {
      callService('codeIsFree', { project, code }, { signal: leaving.signal }).then(setFree, () => undefined);
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
          <b role="status">{hintOf(code, isFree)}</b>
        </>
      }
      value={code}
      // While typing, blanks become hyphens.
      onText={(text) => onCode(text.trim().replace(/\s+/g, '-'))}
      placeholder="summer-sale"
      pattern={codePattern.source.replace('_-', String.raw`_\-`)}
    />
  );
};

const hintOf = (code: string, isFree: boolean | undefined): string => {
  if (code !== '' && !codePattern.test(code))
    return 'A code has 3 to 50 letters, digits, hyphens and underscores.';
  if (isFree === undefined) return '';
  return isFree ? 'Free.' : 'Taken. Codes of deleted links also stay taken.';
};
