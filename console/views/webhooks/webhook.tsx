import { useState } from 'preact/hooks';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { Fact } from '../../components/fact.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce, Hint } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Status } from '../../components/status.tsx';
import { address, moment, number } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFields, type WebhookForm } from './webhook-fields.tsx';

type Found = CallOutput<'webhook'>;

interface WebhookViewProps {
  readonly project: string;
  readonly id: string;
}

export const WebhookView = ({ project, id }: WebhookViewProps) => {
  const found = useCall('webhook', { project, id }, id);
  const [secret, setSecret] = useState<string>();
  const webhook = found.data;
  const title = webhook ? (webhook.name ?? address(webhook.url)) : id;
  return (
    <Page
      title={title}
      heading={
        <>
          {title} {webhook && <Status status={webhook.status} />}
        </>
      }
      actions={webhook && <WebhookActions webhook={webhook} reload={found.reload} onSecret={setSecret} />}
    >
      {secret && <ShownOnce what="The new secret" secret={secret} onDone={() => setSecret(undefined)} />}
      <Loaded from={found} what="Reading the webhook">
        {(data) => <Overview webhook={data} />}
      </Loaded>
      {webhook && (
        <>
          <Deliveries project={project} id={id} onResent={found.reload} />
          <EditWebhook key={webhook.createdAt} webhook={webhook} reload={found.reload} />
        </>
      )}
      <p>
        <A href={hrefOf(['p', project, 'webhooks'])}>All webhooks</A>
      </p>
    </Page>
  );
};

const reasons: Readonly<Record<string, string>> = {
  gone: 'Its receiver returned 410, which means that it is gone permanently.',
  failing: 'Every attempt in 72 hours failed.',
  restored: 'It was restored from a backup.',
};

const states: Readonly<Record<string, string>> = {
  PAUSED: 'Nothing is sent. Pending events are kept for 30 days; new events are not kept.',
  DISABLED:
    'Nothing is sent until you activate it. Pending events are kept for 30 days; new events are not kept.',
};

const Overview = ({ webhook }: { webhook: Found }) => {
  const { id, project, url, createdAt, status, reason, pending, failed, lastSuccessAt } = webhook;
  const notes = [reason === null ? undefined : reasons[reason], states[status]].filter(Boolean);
  return (
    <div class="stack">
      {notes.length > 0 && <Hint>{notes.join(' ')}</Hint>}
      <dl class="totals">
        <Fact name="Waiting">{number(pending)}</Fact>
        <Fact name="Failed">{number(failed)}</Fact>
      </dl>
      <dl class="facts card">
        <Fact name="Address">{url}</Fact>
        <Fact name="Id">{id}</Fact>
        <Fact name="Last delivered">{lastSuccessAt === null ? 'Nothing yet' : moment(lastSuccessAt)}</Fact>
        <Fact name="Created">{moment(createdAt)}</Fact>
      </dl>
      <CommandHint line={commandFor('webhook show', [id], { project })} />
    </div>
  );
};

const EditWebhook = ({ webhook, reload }: { webhook: Found; reload: () => void }) => {
  const { id, project, types, words } = webhook;
  const stored = {
    url: webhook.url,
    name: webhook.name ?? '',
    events: webhook.events as WebhookForm['events'],
  };
  const [settings, setSettings] = useState<WebhookForm>(stored);
  const action = useAction();
  const { url, name, events } = settings;
  const changed = {
    ...(url !== stored.url && { url }),
    ...(name !== stored.name && { name }),
    ...(events.join() !== stored.events.join() && { events: [...events] }),
  };
  const save = () =>
    action.run(async () => {
      if (Object.keys(changed).length === 0) throw new Error('Nothing is changed yet.');
      await callService('updateWebhook', { project, id, ...changed });
      announce('Webhook saved');
      reload();
    });
  const line = commandFor('webhook update', [id], { project, ...changed, events: changed.events?.join() });
  return (
    <section class="stack">
      <h2>Settings</h2>
      <Form
        action={action}
        submit="Save webhook"
        onSubmit={save}
        command={Object.keys(changed).length > 0 ? line : undefined}
      >
        <WebhookFields
          types={types}
          words={words}
          settings={settings}
          isNamed={stored.name !== ''}
          onChange={setSettings}
        />
      </Form>
    </section>
  );
};
