import { payloadFields } from '../../../core/links/payload-fields.ts';
import { FormField } from '../../components/field.tsx';

/** Data for the app while it is edited; names may be empty or repeat. */
export type DataRows = readonly (readonly [name: string, text: string])[];

type Data = Readonly<Record<string, string>>;

export const dataRows = (data: Data | undefined): DataRows =>
  Object.entries(data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

/** The payload's data, without empty rows. */
export const dataOf = (rows: DataRows): { readonly data?: Data } => {
  const set = rows.filter(([name, text]) => name !== '' || text !== '');
  return set.length > 0 ? { data: Object.fromEntries(set) } : {};
};

/** The user's changes, as a merge patch. */
export const changedData = (before: Data = {}, rows: DataRows): { readonly data?: object } => {
  const { data: now = {} } = dataOf(rows);
  const names = Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]);
  return names.length > 0 ? { data: Object.fromEntries(names.map((name) => [name, now[name] ?? null])) } : {};
};

interface AppDataProps {
  readonly rows: DataRows;
  readonly onRows: (rows: DataRows) => void;
}

/** Rows with a name and a text; the last one is empty. */
export const AppDataRows = ({ rows, onRows }: AppDataProps) => {
  const set = (place: number, row: DataRows[number]) => onRows([...rows, ['', ''] as const].with(place, row));
  return (
    <FormField label="Data" path="payload.data" hint={payloadFields.data.about}>
      {(ids) => (
        <div class="stack">
          {[...rows, ['', ''] as const].map(([name, text], place) => (
            <div key={place} class="data-row">
              <input
                {...(place === 0 ? ids : {})}
                aria-label={`Key ${place + 1}`}
                placeholder={place === 0 ? 'screen' : ''}
                autocomplete="off"
                spellcheck={false}
                value={name}
                onInput={({ currentTarget: { value } }) => set(place, [value, text])}
              />
              <textarea
                aria-label={`Text ${place + 1}`}
                rows={1}
                spellcheck={false}
                value={text}
                onInput={({ currentTarget: { value } }) => set(place, [name, value])}
              />
              {place < rows.length && (
                <button
                  type="button"
                  class="quiet small"
                  aria-label={`Remove ${name || `row ${place + 1}`}`}
                  onClick={() => onRows(rows.toSpliced(place, 1))}
                >
                  Remove
                </button>
              )}
            </div>
          ))}
        </div>
      )}
    </FormField>
  );
};
