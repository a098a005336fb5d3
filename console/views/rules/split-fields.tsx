import { limits } from '../../../core/base/limits.ts';
import { TextField } from '../../components/field.tsx';
import { OwnFaults } from '../../components/own-faults.tsx';
import { type Share, ShareBar } from '../../components/share-bar.tsx';
import { type EntryDraft, newEntry } from './rule-draft.ts';

interface SplitFieldsProps {
  readonly entries: readonly EntryDraft[];
  readonly path: string | undefined;
  readonly paths: ReadonlyMap<number, string>;
  readonly onChange: (entries: readonly EntryDraft[]) => void;
}

/** The addresses among which a rule splits its visitors, with their shares. */
export const SplitFields = ({ entries, path, paths, onChange }: SplitFieldsProps) => {
  const shares = entries.map(({ name, percent }): Share => ({ name, percent: Number(percent) || 0 }));
  const left = 100 - shares.reduce((sum, { percent }) => sum + percent, 0);
  const set = (id: number, change: Partial<EntryDraft>) =>
    onChange(entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)));
  return (
    <fieldset class="split">
      <legend>Split</legend>
      <ShareBar shares={shares} />
      <p class="hint">
        {left === 0
          ? 'Together 100 %.'
          : left > 0
            ? `${left} % of the visitors are left for the next rules.`
            : `${-left} % too much: together at most 100 %.`}
      </p>
      <OwnFaults path={path} />
      {entries.map((entry, index) => {
        const own = paths.get(entry.id);
        const number = index + 1;
        return (
          <div key={entry.id} class="entry">
            <TextField
              label={`Entry ${number}: name`}
              path={own && `${own}.name`}
              value={entry.name}
              onText={(name) => set(entry.id, { name })}
              maxLength={32}
            />
            <TextField
              label={`Entry ${number}: percent`}
              path={own && `${own}.percent`}
              type="number"
              value={entry.percent}
              onText={(percent) => set(entry.id, { percent })}
            />
            <TextField
              label={`Entry ${number}: address`}
              path={own && `${own}.link`}
              type="url"
              value={entry.link}
              onText={(link) => set(entry.id, { link })}
            />
            {entries.length > 1 && (
              <button
                type="button"
                class="small"
                aria-label={`Remove entry ${number}`}
                onClick={() => onChange(entries.filter(({ id }) => id !== entry.id))}
              >
                Remove
              </button>
            )}
          </div>
        );
      })}
      <div class="buttons start">
        <button
          type="button"
          class="small"
          disabled={entries.length >= limits.rules.entries}
          onClick={() => onChange([...entries, newEntry(String(Math.max(1, left)))])}
        >
          Add entry
        </button>
      </div>
    </fieldset>
  );
};
