import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { type CallInput, type CallOutput, callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { ColumnHeads } from '../../components/columns.tsx';
import { CommandHint } from '../../components/command.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce, Empty, FaultNotice } from '../../components/notice.tsx';
import { usePortion } from '../../components/show-more.tsx';
import { moment, number, plural } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';

type Delivery = CallOutput<'deliveries'>[number];
type State = CallInput<'deliveries'>['status'];

const states = [
  ['', 'All'],
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const;

interface DeliveriesProps {
  readonly project: string;
  readonly id: string;
  readonly onResent: () => void;
}

/** Deliveries of a webhook in the last 30 days, newest first. */
export const Deliveries = ({ project, id, onResent }: DeliveriesProps) => {
  const [status, setStatus] = useState<State>('');
  const [limit, more] = usePortion();
  const found = useCall('deliveries', { project, id, status, limit }, id);
  const action = useAction();
  const resend = (event?: string) =>
    action.run(async () => {
      const { resent } = await callService('resendDeliveries', { project, id, ...(event && { event }) });
      announce(`${plural(resent, 'delivery', 'deliveries')} sent again`);
      found.reload();
      onResent();
    });
  return (
    <section class="stack" aria-label="Deliveries">
      <h2>Deliveries</h2>
      <div class="row">
        <fieldset class="ranges">
          <legend class="unseen">State</legend>
          {states.map(([state, words]) => (
            <button
              key={state}
              type="button"
              aria-pressed={state === status}
              onClick={() => setStatus(state)}
            >
              {words}
            </button>
          ))}
        </fieldset>
        <div class="buttons">
          <button type="button" class="small" onClick={found.reload}>
            Look again
          </button>
          <button type="button" class="small" disabled={action.busy} onClick={() => resend()}>
            Resend all failed
          </button>
        </div>
      </div>
      <FaultNotice>{action.error}</FaultNotice>
      <Loaded from={found} what="Reading deliveries">
        {(all) =>
          all.length === 0 ? (
            <Empty title={status === '' ? 'No deliveries yet' : 'No matching deliveries'}>
              <p>
                Send a test to see whether the receiver answers; tests aren’t listed. The project’s next event
                shows here.
              </p>
            </Empty>
          ) : (
            <>
              <DeliveryTable place={{ project, id }} all={all} busy={action.busy} onResend={resend} />
              {more(all.length === limit)}
            </>
          )
        }
      </Loaded>
      <CommandHint line={commandFor('webhook deliveries', [id], { project, status })} />
    </section>
  );
};

const marks = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;
const words = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;

/** What was sent, and what came back. */
const Texts = (delivery: CallInput<'delivery'>) => (
  <Loaded from={useCall('delivery', delivery)} what="Reading the delivery">
    {({ sent, answer }) => (
      <>
        <h3>Sent</h3>
        {sent !== null && <LinkOf project={delivery.project} event={JSON.parse(sent)} />}
        <pre>{sent === null ? 'Expired' : JSON.stringify(JSON.parse(sent), null, 2)}</pre>
        <h3>Answer, at most 1 KB</h3>
        <pre>{answer ?? 'Nothing'}</pre>
      </>
    )}
  </Loaded>
);

interface SentEvent {
  readonly data: { readonly link?: { readonly code: string } };
}

/** The link's page, for an event about a link that exists. */
const LinkOf = ({ project, event: { data } }: { project: string; event: SentEvent }) =>
  data.link ? (
    <p>
      Link <A href={hrefOf(['p', project, 'links', data.link.code])}>{data.link.code}</A>
    </p>
  ) : null;

interface DeliveryTableProps {
  readonly place: { readonly project: string; readonly id: string };
  readonly all: readonly Delivery[];
  readonly busy: boolean;
  readonly onResend: (event: string) => void;
}

const DeliveryTable = ({ place, all, busy, onResend }: DeliveryTableProps) => {
  const [open, setOpen] = useState<string>();
  return (
    <table class="deliveries">
      <ColumnHeads
        names={[
          ['Event'],
          ['State'],
          ['Answer', 'number'],
          ['Attempts', 'wide number'],
          ['Next attempt', 'wide'],
          ['Actions'],
        ]}
      />
      <tbody>
        {all.map(({ event, type, createdAt, status, attempts, lastStatus, lastError, nextAttemptAt }) => (
          <Fragment key={event}>
            <tr>
              <th scope="row">
                <b>{type}</b>
                <span class="soft when">{moment(createdAt)}</span>
                <code class="soft wide">{event}</code>
              </th>
              <td>
                <span class={`badge ${marks[status as keyof typeof marks]}`}>
                  {words[status as keyof typeof words]}
                </span>
              </td>
              <td class={lastError ? 'soft' : 'number'}>
                {lastError ?? lastStatus ?? (attempts > 0 ? 'None' : '')}
              </td>
              <td class="wide number">{number(attempts)}</td>
              <td class="wide soft">{nextAttemptAt === null ? '' : moment(nextAttemptAt)}</td>
              <td class="number">
                <button
                  type="button"
                  class="quiet small"
                  aria-expanded={open === event}
                  aria-label={`Show ${event}`}
                  onClick={() => setOpen(open === event ? undefined : event)}
                >
                  Show
                </button>
                {status !== 'pending' && (
                  <button
                    type="button"
                    class="small"
                    disabled={busy}
                    aria-label={`Resend ${event}`}
                    onClick={() => onResend(event)}
                  >
                    Resend
                  </button>
                )}
              </td>
            </tr>
            {open === event && (
              <tr>
                <td colSpan={6}>
                  <Texts {...place} event={event} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
};
