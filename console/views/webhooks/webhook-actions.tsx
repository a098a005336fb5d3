import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { useQuestion } from '../../components/confirm.tsx';
import { Working } from '../../components/loaded.tsx';
import { announce, FaultNotice } from '../../components/notice.tsx';
import { number } from '../../format.ts';
import { hrefOf, navigate } from '../../router.tsx';

interface WebhookActionsProps {
  readonly webhook: CallOutput<'webhook'>;
  readonly reload: () => void;
  readonly onSecret: (secret: string | undefined) => void;
}

/** The actions for a webhook; all except the test need a confirmation. */
export const WebhookActions = ({ webhook, reload, onSecret }: WebhookActionsProps) => {
  const { id, project, status, url } = webhook;
  const place = { project, id };
  const [dialog, ask] = useQuestion(reload);
  const testing = useAction();
  const test = () =>
    testing.run(async () => {
      const outcome = await callService('testWebhook', place);
      const { ms, error } = outcome;
      if (outcome.status === undefined)
        throw new Error(`The receiver didn’t answer: ${error ?? 'unknown reason'}`);
      const result = `${outcome.status} after ${number(ms)} ms`;
      if (outcome.status < 200 || outcome.status > 299) throw new Error(`The receiver answered ${result}`);
      announce(`The receiver answered ${result}`);
    });
  const setActive = (isActive: boolean) =>
    ask({
      title: isActive ? 'Activate the webhook?' : 'Pause the webhook?',
      body: isActive
        ? 'Pending events are sent at once, and new ones from now on.'
        : 'Pending events are kept for 30 days. Events until you activate it again are not sent.',
      action: isActive ? 'Activate' : 'Pause',
      command: commandFor(isActive ? 'webhook activate' : 'webhook pause', [id], { project }),
      work: () => callService('setWebhookStatus', { ...place, isActive }),
      done: isActive ? 'Webhook activated' : 'Webhook paused',
    });
  const rotate = () =>
    ask({
      title: 'Replace the secret?',
      body: 'The new one is shown once. The old one also signs for 24 hours; by then, the receiver needs the new one.',
      action: 'Replace secret',
      command: commandFor('webhook rotate', [id], { project }),
      work: async () => onSecret((await callService('rotateWebhook', place)).secret),
    });
  const remove = () =>
    ask({
      title: 'Delete the webhook?',
      body: 'Its pending events are no longer sent. This can’t be undone.',
      action: 'Delete webhook',
      dangerous: true,
      command: commandFor('webhook delete', [id], { project }),
      work: async () => {
        await callService('deleteWebhook', place);
        announce('Webhook deleted');
        navigate(hrefOf(['p', project, 'webhooks']), { replace: true });
      },
    });
  return (
    <>
      <button type="button" class="primary" disabled={testing.busy} onClick={test}>
        Send a test
      </button>
      <button type="button" onClick={() => setActive(status !== 'ACTIVE')}>
        {status === 'ACTIVE' ? 'Pause' : 'Activate'}
      </button>
      {!url.startsWith('eventbridge:') && (
        <button type="button" onClick={rotate}>
          Replace secret
        </button>
      )}
      <button type="button" onClick={remove}>
        Delete
      </button>
      {testing.busy && <Working what="Waiting for the receiver" />}
      <FaultNotice>{testing.error}</FaultNotice>
      {dialog}
    </>
  );
};
