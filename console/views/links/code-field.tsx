import { useEffect, useState } from 'preact/hooks';
import { codePattern } from '../../../core/links/link.ts';
import { callService } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { FormField } from '../../components/field.tsx';
import { address } from '../../format.ts';

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
  const { shortBase } = useCall('routing', { project }, project).data ?? {};
  const { text, isBad } = hintOf(code, isFree);
  return (
    <FormField
      label="Code"
      hint={
        <>
          <b role="status" class={isBad ? 'fault-text' : 'good-text'}>
            {text}
          </b>{' '}
          It can't be changed later. Empty: a random one.
        </>
      }
    >
      {(ids) => (
        <div class="prefixed">
          {shortBase && (
            <span>
              <b dir="ltr">{address(shortBase)}/</b>
            </span>
          )}
          <input
            {...ids}
            class={shortBase && 'text'}
            autocomplete="off"
            spellcheck={false}
            placeholder="summer-sale"
            pattern={codePattern.source.replace('_-', String.raw`_\-`)}
            value={code}
            // While typing, blanks become hyphens.
            onInput={({ currentTarget }) => onCode(currentTarget.value.trim().replace(/\s+/g, '-'))}
          />
        </div>
      )}
    </FormField>
  );
};

const hintOf = (code: string, isFree: boolean | undefined) => {
  if (code !== '' && !codePattern.test(code))
    return { text: 'A code has 3 to 50 letters, digits, hyphens and underscores.', isBad: true };
  if (isFree === undefined) return { text: '' };
  return isFree
    ? { text: '✓ Free.' }
    : { text: 'Taken. Codes of deleted links also stay taken.', isBad: true };
};
