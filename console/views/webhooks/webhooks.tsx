import { useState } from 'preact/hooks';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { FormSection } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Status } from '../../components/status.tsx';
import { address, moment, plural } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';
import { WebhookFields, type WebhookForm } from './webhook-fields.tsx';

type Webhooks = CallOutput<'webhooks'>;

/** The receivers of a project's events. */
export const WebhooksView = ({ project }: { project: string }) => {
  const found = useCall('webhooks', { project });
  const [secret, setSecret] = useState<string>();
  return (
    <Page title="Webhooks">
      {secret && (
        <ShownOnce what="The secret of the webhook" secret={secret} onDone={() => setSecret(undefined)} />
      )}
      <Loaded from={found} what="Reading webhooks">
        {({ webhooks, ...known }) => (
          <div class="beside">
            {webhooks.length > 0 && (
              <div class="stack">
                <WebhookList project={project} webhooks={webhooks} />
                <CommandHint line={commandFor('webhook list', [], { project })} />
              </div>
            )}
            <CreateWebhook
              project={project}
              isFirst={webhooks.length === 0}
              known={known}
              onMade={(secret) => {
                setSecret(secret);
                found.reload();
              }}
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
};

const WebhookList = ({
  project,
  webhooks,
}: {
  readonly project: string;
  readonly webhooks: Webhooks['webhooks'];
}) => (
  <ul class="rows">
    {webhooks.map(({ id, url, name, status, pending, failed, events, lastSuccessAt }) => (
      <li key={id} class="card row">
        <div>
          <h2>
            <A href={hrefOf(['p', project, 'webhooks', id])}>{name ?? address(url)}</A>{' '}
            <Status status={status} />
          </h2>
          {name !== null && <p class="soft clamp">{address(url)}</p>}
          <p class="soft">
            {plural(events.length, 'type')} of events ·{' '}
            {lastSuccessAt === null ? 'nothing delivered yet' : `last delivered ${moment(lastSuccessAt)}`}
          </p>
        </div>
        <p class="counts">
          <span>
            <b>{pending}</b> waiting
          </span>
          <span>
            <b>{failed}</b> failed
          </span>
        </p>
      </li>
    ))}
  </ul>
);

interface CreateWebhookProps {
  readonly project: string;
  readonly isFirst: boolean;
  readonly known: Pick<Webhooks, 'types' | 'words' | 'usual'>;
  /** Without a secret for a webhook to an event bus. */
  readonly onMade: (secret: string | undefined) => void;
}

const CreateWebhook = ({ project, isFirst, known, onMade }: CreateWebhookProps) => {
  const { types, words, usual } = known;
  const fresh: WebhookForm = { url: '', name: '', events: usual };
  const [settings, setSettings] = useState(fresh);
  const action = useAction();
  const { url, name, events } = settings;
  const create = () =>
    action.run(async () => {
      const { secret } = await callService('createWebhook', { project, url, name, events: [...events] });
      setSettings(fresh);
      announce('Webhook created');
      onMade(secret);
    });
  const options = { project, name, events: events.length === types.length ? 'all' : events.join() };
  return (
    <FormSection
      title="New webhook"
      empty={
        isFirst && {
          title: 'No webhooks yet',
          text: 'A webhook notifies your program of events: a link is created, somebody clicks, an app opens. The service signs each event with a secret that is shown once.',
        }
      }
      action={action}
      submit="Create webhook"
      onSubmit={create}
      command={commandFor('webhook create', [url || 'URL'], options)}
    >
      <WebhookFields types={types} words={words} settings={settings} onChange={setSettings} />
    </FormSection>
  );
};
