import { useState } from 'preact/hooks';
import { type CallInput, callService, client } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { Working } from '../../components/loaded.tsx';
import { announce, FaultNotice, Notes } from '../../components/notice.tsx';
import { TagsInput } from '../../components/tags.tsx';
import { number, plural } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';
import { saveFile } from '../../save-file.ts';
import { type LeftLinks, useChosenActs } from './chosen-acts.tsx';
import { codesOf } from './list-csv.tsx';
import { qrZip } from './qr-zip.ts';

/** Each link is changed by a call of its own. */
const mostChosen = 2000;

type Format = CallInput<'exportLinks'>['format'];

interface ChosenLinksProps {
  readonly project: string;
  readonly codes: readonly string[];
  /** The list's links, whatever their page; undefined if their number isn't known. */
  readonly total: number | undefined;
  /** The list's query, to choose all of its links. */
  readonly query: CallInput<'links'>;
  readonly onChoose: (codes: readonly string[]) => void;
  /** Links that the list doesn't show now; it shows the others' reasons itself. */
  readonly elsewhere: LeftLinks;
  readonly onDone: (left: LeftLinks) => void;
  readonly onClear: () => void;
}

/** The actions for links that are selected on a list, across its pages. */
export const ChosenLinks = ({ project, codes, elsewhere, onDone, onClear, ...list }: ChosenLinksProps) => {
  const [tags, setTags] = useState<readonly string[]>([]);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const { dialog, change, ...ask } = useChosenActs({ project, codes, onDone, onChoose: list.onChoose });
  const action = useAction();
  if (codes.length === 0) return null;
  const tag = (way: 'add' | 'remove') =>
    action.run(async (onProgress) => {
      if (tags.length === 0) throw new Error('Type a tag first.');
      // Tags that a link had before stay with it when this is undone.
      const changed = new Map<string, readonly string[]>();
      const tagOne = async (code: string) => {
        const { tags: before = [] } = await callService('link', { project, code });
        const had = (tag: string) => before.some((one) => one.toLowerCase() === tag.toLowerCase());
        changed.set(
          code,
          tags.filter((one) => had(one) === (way === 'remove')),
        );
        await callService('tagLink', { project, code, [way]: tags });
      };
      const back = way === 'add' ? 'remove' : 'add';
      const untag = async (code: string) => {
        const these = changed.get(code) ?? [];
        if (these.length > 0) await callService('tagLink', { project, code, [back]: these });
      };
      await change(tagOne, onProgress, untag);
      setTags([]);
    });
  const chooseAll = () =>
    action.run(async (onProgress) => list.onChoose(await codesOf(list.query, mostChosen, onProgress)));
  const exportAs = (format: Format) =>
    action.run(async (onProgress) => {
      const input = { project, format, codes: [...codes] };
      const { text, links, notes } = await callService('exportLinks', input, { onProgress });
      setNotes(notes);
      saveFile(`${project}-${links}-links.${format}`, text);
      announce(`${plural(links, 'link')} exported`);
    });
  const saveCodes = () =>
    action.run(async (onProgress) => {
      saveFile(`${project}-qr-codes.zip`, await qrZip(project, codes, onProgress));
      announce(`${plural(codes.length, 'QR code')} downloaded`);
    });
  const { offers, isOperators } = client();
  const acts = [
    ['Pause', () => ask.status('PAUSED')],
    ['Activate', () => ask.status('ACTIVE')],
    ['Change fields', offers('updateLink', project) && ask.fields],
    ['QR codes', saveCodes],
    ['Export CSV', offers('exportLinks', project) && (() => exportAs('csv'))],
    ['Export ndjson', isOperators && (() => exportAs('ndjson'))],
    ['Delete', offers('deleteLink', project) && ask.removal],
  ] as const;
  return (
    <section class="card stack chosen-links" aria-label="Chosen links">
      <div class="row">
        <strong>{plural(codes.length, 'link')} chosen</strong>
        <div class="buttons">
          {acts.map(
            ([label, run]) =>
              run && (
                <button key={label} type="button" disabled={action.busy} onClick={run}>
                  {label}
                </button>
              ),
          )}
          {(list.total ?? codes.length + 1) > codes.length && (
            <button type="button" class="quiet" disabled={action.busy} onClick={chooseAll}>
              Choose all {list.total === undefined ? 'that match' : number(list.total)}
            </button>
          )}
          <button type="button" class="quiet" onClick={onClear}>
            Choose none
          </button>
        </div>
      </div>
      <div class="chosen">
        <TagsInput
          project={project}
          name="Tags of the chosen links"
          placeholder="Tags"
          tags={tags}
          onTags={setTags}
        />
        <button type="button" disabled={action.busy} onClick={() => tag('add')}>
          Add tags
        </button>
        <button type="button" disabled={action.busy} onClick={() => tag('remove')}>
          Remove tags
        </button>
      </div>
      {action.busy && <Working what="Working on the chosen links" progress={action.progress} />}
      <FaultNotice>{action.error}</FaultNotice>
      <Notes texts={notes} />
      <LeftElsewhere project={project} left={elsewhere} />
      {codes.length === 1 && tags.length > 0 && (
        <CommandHint line={commandFor('link tag', [...codes], { project, add: tags.join() })} />
      )}
      {dialog}
    </section>
  );
};

const LeftElsewhere = ({ project, left }: { project: string; left: LeftLinks }) =>
  left.size === 0 ? null : (
    <FaultNotice>
      <ul class="bullets" aria-label="Not changed, not on this page">
        {[...left].map(([code, reason]) => (
          <li key={code}>
            <A href={hrefOf(['p', project, 'links', code])}>{code}</A>: {reason}
          </li>
        ))}
      </ul>
    </FaultNotice>
  );
