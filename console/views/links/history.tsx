import { useState } from 'preact/hooks';
import { patchBack } from '../../../core/links/own-content.ts';
import { type CallInput, type CallOutput, callService, client } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { useQuestion } from '../../components/confirm.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce, FaultNotice } from '../../components/notice.tsx';
import { usePortion } from '../../components/show-more.tsx';
import { moment } from '../../format.ts';
import { type Difference, differencesOf } from './differences.ts';

type Found = CallOutput<'history'>;
type Entry = Found['entries'][number];

interface HistoryProps {
  readonly project: string;
  readonly code: string;
  readonly onChange: () => void;
}

/** A link's changes, loaded when the section is opened. */
export const History = ({ project, code, onChange }: HistoryProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>History</h2>
      </summary>
      {isOpen && <Changes project={project} code={code} onChange={onChange} />}
    </details>
  );
};

const Changes = ({ project, code, onChange }: HistoryProps) => {
  const [limit, more] = usePortion();
  const found = useCall('history', { project, code, limit }, code);
  const [dialog, ask] = useQuestion();
  const action = useAction();
  const putBack = ({ id, at }: Entry) =>
    action.run(async () => {
      const { link, before } = await callService('historyEntry', { project, code, id });
      if (!before) return;
      const patch = patchBack(link, before) as CallInput<'updateLink'>['link'];
      if (Object.keys(patch).length === 0) return announce(`${code} already has this state`);
      ask({
        title: `Restore ${code}?`,
        body: (
          <>
            <p>As it was before {moment(at)}. Its status stays.</p>
            <Differences
              of={differencesOf(link, { ...link, ...cleared, ...before })}
              names={['Now', 'Then']}
            />
          </>
        ),
        action: 'Put back',
        command: commandFor('link revert', [code], { project, before: id }),
        api: `PATCH /1.0/links/${code}`,
        work: async () => {
          await callService('updateLink', { project, code, link: patch });
          announce(`${code} is restored to its state before ${moment(at)}`);
          found.reload();
          onChange();
        },
      });
    });
  return (
    <div class="stack">
      <Loaded from={found} what="Reading the history">
        {(shown) => {
          const { blocked, status } = shown.link;
          const isFixed = blocked || status === 'EXPIRED' || !client().offers('updateLink', project);
          return (
            <>
              <ol class="changes">
                {withNew(shown).map(({ entry, changed }) => (
                  <li key={entry.id}>
                    <div class="row">
                      <p>
                        <b>{wordsOf(entry)}</b>{' '}
                        <span class="soft">
                          {moment(entry.at)}
                          {entry.by && ` by ${entry.by}`}
                        </span>
                      </p>
                      {!isFixed && entry.type !== 'created' && (
                        <button
                          type="button"
                          class="small"
                          disabled={action.busy}
                          aria-label={`Put back to before ${moment(entry.at)}`}
                          onClick={() => putBack(entry)}
                        >
                          Put back
                        </button>
                      )}
                    </div>
                    {entry.reason && <p>Reason: {entry.reason}</p>}
                    <Differences of={changed} names={['Before', 'After']} />
                  </li>
                ))}
              </ol>
              {more(shown.hasMore)}
            </>
          );
        }}
      </Loaded>
      <FaultNotice>{action.error}</FaultNotice>
      <CommandHint
        line={commandFor('link history', [code], { project })}
        api={`GET /1.0/history?code=${code}`}
      />
      {dialog}
    </div>
  );
};

/** Overrides fields that an entry lacks because they were unset. */
const cleared = { name: undefined, tags: undefined, expiresAt: undefined };

const words: Readonly<Record<Entry['type'], string>> = {
  created: 'Created',
  updated: 'Changed',
  expired: 'Expired',
  blocked: 'Blocked by the operator',
  unblocked: 'Unblocked by the operator',
  deleted: 'Deleted',
};

const wordsOf = ({ type, previous }: Entry): string => {
  if (previous?.status === undefined) return words[type];
  return previous.status === 'ACTIVE' ? 'Paused' : 'Activated';
};

/** A link's changes in words, each with its time. */
export const changesOf = (found: Found) =>
  withNew(found).map(({ entry, changed }) => ({
    at: entry.at,
    words: [wordsOf(entry), changed.map(({ name }) => name).join(', ')].filter(Boolean).join(': '),
  }));

/** Entries with old and new values. The new value is the next entry's old one, or the current one. */
const withNew = ({ link, entries }: Found): { entry: Entry; changed: Difference[] }[] => {
  let after: Parameters<typeof differencesOf>[1] = link;
  return entries.map((entry) => {
    const { status, ...previous } = entry.previous ?? {};
    const before = { ...after, ...previous };
    const changed = differencesOf(before, after);
    after = before;
    return { entry, changed };
  });
};

const Differences = ({ of, names }: { of: readonly Difference[]; names: readonly [string, string] }) =>
  of.length === 0 ? null : (
    <dl class="differences">
      {of.map(({ name, from, to }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="soft">{names[0]}</span> {from ?? <i>not set</i>}
          </dd>
          <dd>
            <span class="soft">{names[1]}</span> {to ?? <i>not set</i>}
          </dd>
        </div>
      ))}
    </dl>
  );
