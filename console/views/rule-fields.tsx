import { type Platform, platforms } from '../../core/base/platform.ts';
import { TextField } from '../parts/field.tsx';
import { OwnFaults } from '../parts/own-faults.tsx';
import { newEntry, type RuleDraft } from './rule-draft.ts';
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
        <TextField
          label="Countries"
          path={pathTo('countries')}
          hint="Two letters each, as DE, AT. Empty: all."
          value={rule.countries}
          onText={(countries) => set({ countries })}
        />
        <TextField
          label="Languages"
          path={pathTo('languages')}
          hint="The browser’s first one, as de, pt-BR. Empty: all."
          value={rule.languages}
          onText={(languages) => set({ languages })}
        />
      </div>
      <Platforms
        path={pathTo('platforms')}
        chosen={rule.platforms}
        onChoice={(platforms) => set({ platforms })}
      />
      <div class="pair">
        <TextField
          label="From (UTC)"
          path={pathTo('from')}
          type="datetime-local"
          value={rule.from}
          onText={(from) => set({ from })}
        />
        <TextField
          label="Until (UTC)"
          path={pathTo('until')}
          type="datetime-local"
          value={rule.until}
          onText={(until) => set({ until })}
        />
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

const platformNames: Readonly<Record<Platform, string>> = {
  ios: 'iPhone and iPad',
  android: 'Android',
  web: 'Desktop',
};

interface PlatformsProps {
  readonly path: string | undefined;
  readonly chosen: readonly Platform[];
  readonly onChoice: (chosen: readonly Platform[]) => void;
}

const Platforms = ({ path, chosen, onChoice }: PlatformsProps) => (
  <fieldset class="checks">
    <legend>Platforms</legend>
    {platforms.map((name) => (
      <label key={name} class="check">
        <input
          type="checkbox"
          checked={chosen.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onChoice(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
          }
        />
        {platformNames[name]}
      </label>
    ))}
    <p class="hint">None chosen: all.</p>
    <OwnFaults path={path} />
  </fieldset>
);
