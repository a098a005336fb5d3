import { useState } from 'preact/hooks';
import { allowances } from '../../../core/share-links/share-allowances.ts';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { Checks } from '../../components/checks.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';

/** A key for apps that make links like this one, and the code that calls the API with it. */
export const ShareLike = ({ link }: { link: CallOutput<'link'> }) => {
  const [allow, setAllow] = useState<readonly string[]>(['link.path']);
  const [days, setDays] = useState('90');
  const [perHour, setPerHour] = useState('5000');
  const [maxLinks, setMaxLinks] = useState('100000');
  const [code, setCode] = useState<string>();
  const action = useAction();
  const create = () =>
    action.run(async () => {
      const { rules: _, ...payload } = link.payload;
      const limits = {
        expiresInDays: Number(days),
        perHour: Number(perHour),
        maxLinks: Number(maxLinks),
      };
      const template = { payload, allow, ...limits };
      const { apiKey, url } = await callService('createShareKey', { project: link.projectId, template });
      setCode(fetchCode(url, apiKey, payload.link));
    });
  return (
    <details class="card">
      <summary>Let an app make links like this</summary>
      {code ? (
        <div class="stack">
          <p>The key is no secret. Keys lists it.</p>
          <pre>{code}</pre>
          <CopyButton text={code} what="the code" />
        </div>
      ) : (
        <Form action={action} submit="Create publishable key" onSubmit={create}>
          <fieldset>
            <legend>What the app may set</legend>
            <Checks values={allowances} chosen={allow} onChosen={setAllow}>
              {(field) => <code>{field}</code>}
            </Checks>
          </fieldset>
          <TextField
            label="Days until its links expire"
            path="expiresInDays"
            type="number"
            value={days}
            onText={setDays}
          />
          <TextField
            label="Calls per hour"
            path="perHour"
            type="number"
            value={perHour}
            onText={setPerHour}
          />
          <TextField
            label="Links in all"
            path="maxLinks"
            type="number"
            value={maxLinks}
            onText={setMaxLinks}
          />
        </Form>
      )}
    </details>
  );
};

const fetchCode = (
  url: string,
  apiKey: string,
  link: string,
): string => `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-API-KEY': '${apiKey}' },
  body: JSON.stringify({ link: ${JSON.stringify(link)} }),
});
const { data } = await answer.json();
console.log(data.shortUrl);`;
