import { useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { command } from '../../command-line.ts';
import { day } from '../../format.ts';
import { Command } from '../../parts/command.tsx';
import { useQuestion } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty, say } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useAction, useCall } from '../../use-call.ts';

/** Hosts that operators block as destinations. */
export const DestinationsView = () => {
  const hosts = useCall('destinations', {});
  const [host, setHost] = useState('');
  const action = useAction();
  const [dialog, ask] = useQuestion();
  const block = () =>
    action.run(async () => {
      const blocked = await call('blockDestination', { host });
      say(`${blocked.host} is blocked`);
      setHost('');
      hosts.reload();
    });
  const unblock = (blocked: string) =>
    ask({
      title: `Unblock ${blocked}?`,
      body: 'Links may lead there again, and those that do are followed again within a minute.',
      action: 'Unblock',
      command: command('destination unblock', [blocked]),
      work: async () => {
        await call('unblockDestination', { host: blocked });
        say(`${blocked} is unblocked`);
        hosts.reload();
      },
    });
  return (
    <Page title="Blocked destinations">
      <p class="soft">
        No link of any project leads to these hosts and their subdomains: new ones are refused, and visitors
        of old ones get the “not found” page within a minute.
      </p>
      <Loaded from={hosts} what="Reading blocked destinations">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No destination is blocked">
              <p>Block a host when links lead to something harmful there, such as phishing.</p>
            </Empty>
          ) : (
            <ul class="rows">
              {all.map((one) => (
                <li key={one.host} class="card row">
                  <div>
                    <h2>{one.host}</h2>
                    <p class="soft">since {day(one.blockedAt)}</p>
                  </div>
                  <button type="button" onClick={() => unblock(one.host)} aria-label={`Unblock ${one.host}`}>
                    Unblock
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Command line={command('destination list')} />
      <section class="stack">
        <h2>Block a destination</h2>
        <Form
          action={action}
          submit="Block host"
          onSubmit={block}
          command={command('destination block', [host || 'HOST'])}
        >
          <TextField label="Host" value={host} onText={setHost} placeholder="evil.example.com" required />
        </Form>
      </section>
      {dialog}
    </Page>
  );
};
