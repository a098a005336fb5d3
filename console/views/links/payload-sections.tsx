import type { ComponentChildren } from 'preact';
import type { Field, Texts } from '../../../core/fields/field.ts';
import type { CallOutput } from '../../calls/client.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { plural } from '../../format.ts';
import { AppDataRows, type DataRows } from './app-data.tsx';
import { labelOf, titles } from './labels.ts';
import type { FlatPayload } from './link-draft.ts';

type App = CallOutput<'apps'>[number];

interface SectionEntry {
  readonly about: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly platform?: App['platform'];
  readonly appId?: string;
}

interface PayloadSectionsProps {
  readonly entries: readonly (readonly [string, Field | Texts | SectionEntry])[];
  readonly fields: FlatPayload;
  readonly apps: readonly App[];
  readonly set: (path: string, value: string) => void;
  readonly data: DataRows;
  readonly setData: (rows: DataRows) => void;
}

const appIds = ['iosAppId', 'androidAppId'];

/** All fields of a payload except its destination: sections first, then the rest. */
export const PayloadSections = ({ entries, fields, apps, set, data, setData }: PayloadSectionsProps) => {
  const sections = entries.flatMap(([name, entry]) => ('fields' in entry ? [[name, entry] as const] : []));
  const single = entries.flatMap(([name, entry]) =>
    'fields' in entry || entry.kind === 'texts' || name === 'link' || appIds.includes(name)
      ? []
      : [[name, entry] as const],
  );
  return (
    <>
      {sections.map(([name, section]) => (
        <Group
          key={name}
          title={titles[name] ?? labelOf(name)}
          icon={sectionIcons[name] ?? 'settings'}
          set={[
            apps.find(({ id }) => id === (section.appId && fields[section.appId]))?.name ?? '',
            ...Object.entries(fields).map(([path, text]) => (path.startsWith(`${name}.`) ? text : '')),
          ]}
        >
          {section.appId && (
            <SavedApp
              path={section.appId}
              apps={apps.filter(({ platform }) => platform === section.platform)}
              value={fields[section.appId] ?? ''}
              set={set}
            />
          )}
          {!(section.appId && fields[section.appId]) &&
            Object.entries(section.fields).map(([field, entry]) => (
              <OneField
                key={field}
                name={field}
                field={entry}
                path={`${name}.${field}`}
                fields={fields}
                set={set}
              />
            ))}
        </Group>
      ))}
      <Group title="Data for the app" icon="braces" set={data.map(([name]) => name)}>
        <AppDataRows rows={data} onRows={setData} />
      </Group>
      <Group
        title="Desktop and more"
        icon="monitor"
        set={single.map(([name, { kind }]) => shownValue(kind, fields[name]))}
      >
        {single.map(([name, field]) => (
          <OneField key={name} name={name} field={field} path={name} fields={fields} set={set} />
        ))}
      </Group>
    </>
  );
};

const shownValue = (kind: Field['kind'], value = ''): string =>
  kind === 'choice' && value ? labelOf(value) : value;

const sectionIcons: Readonly<Record<string, IconName>> = {
  android: 'phone',
  ios: 'phone',
  social: 'share',
  campaign: 'megaphone',
};

interface GroupProps {
  readonly title: string;
  readonly icon: IconName;
  /** Values of its settings; empty ones are unset. */
  readonly set: readonly string[];
  readonly children: ComponentChildren;
}

const Group = ({ title, icon, set, children }: GroupProps) => (
  <details>
    <summary>
      <Icon name={icon} /> {title}{' '}
      <span class="soft set" dir="auto">
        {set.filter(Boolean).join(', ')}
      </span>
    </summary>
    <div>{children}</div>
  </details>
);

interface SavedAppProps {
  readonly path: string;
  readonly apps: readonly App[];
  readonly value: string;
  readonly set: (path: string, value: string) => void;
}

const SavedApp = ({ path, apps, value, set }: SavedAppProps) => (
  <ChoiceField
    label="Saved app"
    path={`payload.${path}`}
    hint="Its settings replace this whole section."
    value={value}
    choices={[
      ['', apps.length === 0 ? 'None: the project has no such app yet' : 'None: settings of this link'],
      ...apps.map(({ id, name }) => [id, name] as const),
    ]}
    onChoice={(id) => set(path, id)}
  />
);

interface OneFieldProps {
  readonly name: string;
  readonly field: Field;
  readonly path: string;
  readonly fields: FlatPayload;
  readonly set: (path: string, value: string) => void;
}

const OneField = ({ name, field, path, fields, set }: OneFieldProps) =>
  field.kind === 'choice' ? (
    <ChoiceField
      label={labelOf(name)}
      path={`payload.${path}`}
      hint={field.about}
      value={fields[path] === field.values[0] ? '' : (fields[path] ?? '')}
      choices={choicesOf(field)}
      onChoice={(value) => set(path, value)}
    />
  ) : (
    <TextField
      label={labelOf(name)}
      path={`payload.${path}`}
      hint={field.about + lengthOf(path, fields[path])}
      {...(field.kind === 'address' && { type: 'url' as const })}
      placeholder={field.example}
      value={fields[path] ?? ''}
      onText={(text) => set(path, text)}
    />
  );

/** Characters that most networks show of a card's texts. */
const shownOnCards: Readonly<Record<string, number>> = { 'social.title': 60, 'social.description': 120 };

const lengthOf = (path: string, text = ''): string => {
  const most = shownOnCards[path];
  const length = [...text].length;
  return most && length > 0 ? ` ${plural(length, 'character')}; networks show about ${most}.` : '';
};

/** The first value is the default. */
const choicesOf = ({
  values,
}: Extract<Field, { kind: 'choice' }>): readonly (readonly [string, string])[] => {
  const [usual = '', ...others] = values;
  return [['', `${labelOf(usual)} (default)`], ...others.map((value) => [value, labelOf(value)] as const)];
};
