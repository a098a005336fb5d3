import type { FunctionComponent } from 'preact';
import { type Platform, platforms } from '../../../core/base/platform.ts';
import type { Conditions } from '../../../core/rules/rule.ts';
import { TextField } from '../../parts/field.tsx';
import { OwnFaults } from '../../parts/own-faults.tsx';
import { TimeField } from '../../parts/time-field.tsx';
import { listOf, newEntry, type RuleDraft } from './rule-draft.ts';
import { SplitFields } from './split-fields.tsx';

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  readonly paths: ReadonlyMap<number, string>;
  readonly onChange: (rule: RuleDraft) => void;
}

/** Everything that a rule can say. */
export const RuleFields = ({ rule, paths, onChange }: RuleFieldsProps) => {
  const own = paths.get(rule.id);
  const pathTo = (field: string) => own && `${own}.${field}`;
  const set = (change: Partial<RuleDraft>) => onChange({ ...rule, ...change });
  return (
    <fieldset class="rule-fields" aria-label={`Rule ${rule.name}`}>
      <TextField
        label="Rule name"
        path={pathTo('name')}
        hint="Figures name clicks by it. Letters, digits, - and _."
        value={rule.name}
        onText={(name) => set({ name })}
        maxLength={32}
      />
      <div class="pair">
        {conditionNames.map((name) => {
          const Condition = conditions[name];
          const onText = (text: string) => set({ [name]: text });
          return <Condition key={name} path={pathTo(name)} value={rule[name]} onText={onText} />;
        })}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={rule.entries !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            set({ entries: checked ? [newEntry('50', rule.link), newEntry('50')] : undefined })
          }
        />
        Split these visitors between several addresses
      </label>
      {rule.entries ? (
        <SplitFields
          entries={rule.entries}
          path={pathTo('split')}
          paths={paths}
          onChange={(entries) => set({ entries })}
        />
      ) : (
        <TextField
          label="Rule address"
          path={pathTo('link')}
          hint="Where these visitors go."
          type="url"
          value={rule.link}
          onText={(link) => set({ link })}
        />
      )}
    </fieldset>
  );
};

interface ConditionProps {
  readonly path: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A field for each condition. */
const conditions: { readonly [Name in keyof Conditions]: FunctionComponent<ConditionProps> } = {
  countries: (props) => (
    <TextField label="Countries" hint="Two letters each, as DE, AT. Empty: all." {...props} />
  ),
  languages: (props) => (
    <TextField label="Languages" hint="The browser’s first one, as de, pt-BR. Empty: all." {...props} />
  ),
  platforms: (props) => <Platforms {...props} />,
  from: (props) => <TimeField label="From" {...props} />,
  until: (props) => <TimeField label="Until" {...props} />,
};

const conditionNames = Object.keys(conditions) as (keyof Conditions)[];

const platformNames: Readonly<Record<Platform, string>> = {
  ios: 'iPhone and iPad',
  android: 'Android',
  web: 'Desktop',
};

const Platforms = ({ path, value, onText }: ConditionProps) => {
  const chosen = listOf(value);
  return (
    <fieldset class="checks">
      <legend>Platforms</legend>
      {platforms.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              onText((checked ? [...chosen, name] : chosen.filter((one) => one !== name)).join())
            }
          />
          {platformNames[name]}
        </label>
      ))}
      <p class="hint">None chosen: all.</p>
      <OwnFaults path={path} />
    </fieldset>
  );
};
