import { useState } from 'preact/hooks';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CopyButton } from '../../components/copy.tsx';
import { FormField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { announce } from '../../components/notice.tsx';
import { plural } from '../../format.ts';

export type ShareKey = Extract<CallOutput<'keys'>[number], { kind: 'publishable' }>;

/** A publishable key, how many links it has made, and its template, which can be replaced. */
export const ShareKeyFacts = ({ shareKey, reload }: { shareKey: ShareKey; reload: () => void }) => {
  const { keyId, apiKey, made, problem, revokedAt } = shareKey;
  const kept = JSON.stringify(shareKey.template, null, 2);
  const [text, setText] = useState(kept);
  const action = useAction();
  const save = () =>
    action.run(async () => {
      await callService('updateShareKey', { keyId, template: JSON.parse(text) });
      announce('Template replaced');
      reload();
    });
  return (
    <>
      <p class="soft">
        <code>{apiKey}</code> <CopyButton text={apiKey} what="the publishable key" isSmall /> ·{' '}
        {plural(made, 'link')} made
      </p>
      {problem && !revokedAt && <p class="notice warn">{problem}</p>}
      <details>
        <summary>Template</summary>
        {revokedAt ? (
          <pre>{kept}</pre>
        ) : (
          <Form
            action={action}
            submit="Replace template"
            onSubmit={save}
            command={commandFor('key update', [keyId], { share: 'template.json' })}
          >
            <FormField label="Template (JSON)" hint="Existing links don't change.">
              {(ids) => (
                <textarea
                  {...ids}
                  rows={10}
                  spellcheck={false}
                  value={text}
                  onInput={({ currentTarget: { value } }) => setText(value)}
                />
              )}
            </FormField>
          </Form>
        )}
      </details>
    </>
  );
};
