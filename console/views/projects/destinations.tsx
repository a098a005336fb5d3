import { useState } from 'preact/hooks';
import { callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { useQuestion } from '../../components/confirm.tsx';
import { TextField } from '../../components/field.tsx';
import { FormSection } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { day } from '../../format.ts';

/** Hosts that operators block as destinations. */
export const DestinationsView = () => {
  const hosts = useCall('destinations', {});
  const [host, setHost] = useState('');
  const action = useAction();
  const [dialog, ask] = useQuestion(hosts.reload);
  const block = () =>
    action.run(async () => {
      const blocked = await callService('blockDestination', { host });
      announce(`${blocked.host} is blocked`);
      setHost('');
      hosts.reload();
    });
  const unblock = (blocked: string) =>
    ask({
      title: `Unblock ${blocked}?`,
      body: 'Links may lead there again, and existing ones work again within a minute.',
      action: 'Unblock',
      command: commandFor('destination unblock', [blocked]),
      work: () => callService('unblockDestination', { host: blocked }),
      done: `${blocked} is unblocked`,
    });
  return (
    <Page title="Blocked destinations">
      <p class="soft">
        No link of any project leads to these hosts and their subdomains: new ones are refused, and visitors
        of old ones get the “not found” page within a minute.
      </p>
      <Loaded from={hosts} what="Reading blocked destinations">
        {(all) => (
          <div class="stack">
            {all.length > 0 && (
              <ul class="rows">
                {all.map((one) => (
                  <li key={one.host} class="card row">
                    <div>
                      <h2>{one.host}</h2>
                      <p class="soft">since {day(one.blockedAt)}</p>
                    </div>
                    <button
                      type="button"
                      onClick={() => unblock(one.host)}
                      aria-label={`Unblock ${one.host}`}
                    >
                      Unblock
                    </button>
                  </li>
                ))}
              </ul>
            )}
            {all.length > 0 && <CommandHint line={commandFor('destination list')} />}
            <FormSection
              title="Block a destination"
              empty={
                all.length === 0 && {
                  title: 'No destination is blocked',
                  text: 'Block a host when links lead to something harmful there, such as phishing.',
                }
              }
              action={action}
              submit="Block host"
              onSubmit={block}
              command={commandFor('destination block', [host || 'HOST'])}
            >
              <TextField label="Host" value={host} onText={setHost} placeholder="evil.example.com" required />
            </FormSection>
          </div>
        )}
      </Loaded>
      {dialog}
    </Page>
  );
};
