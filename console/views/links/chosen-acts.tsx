import { useRef } from 'preact/hooks';
import type { LinkPatch } from '../../../client/types.ts';
import { type ChangeOfOne, changeEach, type OnProgress } from '../../calls/change-each.ts';
import { callService } from '../../calls/client.ts';
import { useQuestion } from '../../components/confirm.tsx';
import { announce, undo } from '../../components/notice.tsx';
import { number, plural } from '../../format.ts';
import { ChangedFields } from './changed-fields.tsx';

/** Reasons why links weren't changed, by code. */
export type LeftLinks = ReadonlyMap<string, string>;

interface Chosen {
  readonly project: string;
  readonly codes: readonly string[];
  readonly onDone: (left: LeftLinks) => void;
  readonly onChoose: (codes: readonly string[]) => void;
}

/** Changes of the chosen links, and those that ask first. */
export const useChosenActs = ({ project, codes, onDone, onChoose }: Chosen) => {
  const [dialog, ask] = useQuestion();
  /** With `back`, which undoes the change of one link, the announcement offers that for those that changed. */
  const change = async (one: ChangeOfOne, onProgress: OnProgress, back?: ChangeOfOne) => {
    const failed = await changeEach(codes, one, onProgress);
    onDone(failed);
    const changed = codes.filter((code) => !failed.has(code));
    const left = failed.size > 0 ? `, ${number(failed.size)} left as before` : '';
    const putBack = back && undo(async () => onDone(await changeEach(changed, back, () => undefined)));
    announce(`${plural(changed.length, 'link')} changed${left}`, changed.length > 0 ? putBack : undefined);
  };
  const put = (status: 'ACTIVE' | 'PAUSED') => (code: string) =>
    callService('setLinkStatus', { project, code, status });
  const status = (wanted: 'ACTIVE' | 'PAUSED') => {
    const links = plural(codes.length, 'link');
    ask({
      title: wanted === 'PAUSED' ? `Pause ${links}?` : `Activate ${links}?`,
      body:
        wanted === 'PAUSED'
          ? 'Visitors get the “not found” page at once, until you activate the links again.'
          : 'Visitors are redirected again at once.',
      action: wanted === 'PAUSED' ? 'Pause' : 'Activate',
      work: (onProgress) => change(put(wanted), onProgress, put(wanted === 'PAUSED' ? 'ACTIVE' : 'PAUSED')),
    });
  };
  const patch = useRef<LinkPatch>({});
  const fields = () => {
    patch.current = {};
    ask({
      title: `Change ${plural(codes.length, 'link')}`,
      body: (
        <ChangedFields
          project={project}
          onPatch={(made) => {
            patch.current = made;
          }}
        />
      ),
      action: 'Change',
      api: 'PATCH /1.0/links/CODE',
      work: async (onProgress) => {
        const link = patch.current;
        if (Object.keys(link).length === 0) throw new Error('Fill in a field first.');
        await change((code) => callService('updateLink', { project, code, link }), onProgress);
      },
    });
  };
  const removal = () =>
    ask({
      title: `Delete ${plural(codes.length, 'link')}?`,
      body: 'Visitors get the “not found” page at once. This can’t be undone, and the codes stay taken.',
      action: 'Delete',
      dangerous: true,
      typed: String(codes.length),
      api: 'DELETE /1.0/links/CODE',
      work: async (onProgress) => {
        const left = await changeEach(
          codes,
          (code) => callService('deleteLink', { project, code }),
          onProgress,
        );
        onChoose([...left.keys()]);
        onDone(left);
        announce(`${plural(codes.length - left.size, 'link')} deleted`);
      },
    });
  return { dialog, change, status, fields, removal };
};
