import { Check, Checks } from '../../components/checks.tsx';
import { FormField, TextField } from '../../components/field.tsx';
import { knownCodes, nameOfCode, takeCodes } from '../../components/named-codes.ts';
import { OwnFaults } from '../../components/own-faults.tsx';
import { ChipsInput } from '../../components/tags.tsx';
import { TimeField } from '../../components/time-field.tsx';
import {
  type ConditionField,
  conditionFields,
  conditionNames,
  newEntry,
  type RuleDraft,
  splitWords,
} from './rule-draft.ts';
import { SplitFields } from './split-fields.tsx';

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  readonly paths: ReadonlyMap<number, string>;
  readonly onChange: (rule: RuleDraft) => void;
}

/** The fields of a rule. */
export const RuleFields = ({ rule, paths, onChange }: RuleFieldsProps) => {
  const own = paths.get(rule.id);
  const pathTo = (field: string) => own && `${own}.${field}`;
  const set = (change: Partial<RuleDraft>) => onChange({ ...rule, ...change });
  return (
    <fieldset class="rule-fields" aria-label={`Rule ${rule.name}`}>
      <TextField
        label="Rule name"
        path={pathTo('name')}
        hint="Shown in analytics. Letters, digits, - and _."
        value={rule.name}
        onText={(name) => set({ name })}
        maxLength={32}
      />
      <div class="pair">
        {conditionNames.map((name) => {
          const onText = (text: string) => set({ [name]: text });
          const condition = { field: conditionFields[name], path: pathTo(name), value: rule[name], onText };
          return <ConditionInput key={name} {...condition} />;
        })}
      </div>
      <Check
        checked={rule.entries !== undefined}
        onCheck={(checked) =>
          set({ entries: checked ? [newEntry('50', rule.link), newEntry('50')] : undefined })
        }
      >
        Split these visitors between several addresses
      </Check>
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
          hint="URL for these visitors."
          type="url"
          value={rule.link}
          onText={(link) => set({ link })}
        />
      )}
    </fieldset>
  );
};

interface ConditionProps {
  readonly field: ConditionField;
  readonly path: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}

const ConditionInput = ({ field: { label, hint, kind, choices }, ...props }: ConditionProps) => {
  if (choices) return <Choices legend={label} hint={hint} choices={choices} {...props} />;
  if (kind === 'time') return <TimeField label={label} {...props} />;
  if (kind) return <Codes label={label} hint={hint} kind={kind} {...props} />;
  return <TextField label={label} hint={hint} {...props} />;
};

interface CodesProps extends Omit<ConditionProps, 'field'> {
  readonly label: string;
  readonly hint: string | undefined;
  readonly kind: 'countries' | 'languages';
}

const Codes = ({ label, hint, kind, path, value, onText }: CodesProps) => (
  <FormField label={label} path={path} hint={hint}>
    {(ids) => (
      <ChipsInput
        ids={{ ...ids }}
        values={splitWords(value)}
        onValues={(codes) => onText(codes.join(', '))}
        take={takeCodes(kind)}
        known={knownCodes(kind)}
        nameOf={(code) => nameOfCode(kind, code)}
      />
    )}
  </FormField>
);

const Choices = ({
  legend,
  hint,
  choices,
  path,
  value,
  onText,
}: Omit<ConditionProps, 'field'> & {
  readonly legend: string;
  readonly hint: string | undefined;
  readonly choices: Readonly<Record<string, string>>;
}) => (
  <fieldset class="checks">
    <legend>{legend}</legend>
    <Checks values={Object.keys(choices)} chosen={splitWords(value)} onChosen={(all) => onText(all.join())}>
      {(one) => choices[one]}
    </Checks>
    <p class="hint">{hint}</p>
    <OwnFaults path={path} />
  </fieldset>
);
