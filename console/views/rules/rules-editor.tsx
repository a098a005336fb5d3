import { limits } from '../../../core/base/limits.ts';
import { conditionsInWords } from '../../../core/pages/rule-words.ts';
import { Icon } from '../../components/icon.tsx';
import { OwnFaults } from '../../components/own-faults.tsx';
import { Ordered } from '../../components/sortable-list.tsx';
import { completeConditions, newRule, type RuleDraft } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';

interface RulesEditorProps {
  readonly rules: readonly RuleDraft[];
  readonly onChange: (rules: readonly RuleDraft[]) => void;
  /** The last request's path of each rule and entry by id, to place its faults. */
  readonly paths: ReadonlyMap<number, string>;
}

/** Adds, edits, orders and removes a link's rules. */
export const RulesEditor = ({ rules, onChange, paths }: RulesEditorProps) => (
  <details class="rules">
    <summary>
      <Icon name="route" /> Rules <span class="soft">{rules.length > 0 ? `· ${rules.length}` : ''}</span>
    </summary>
    <div>
      <p class="hint">
        The first rule whose conditions all hold sends the visitor to its address, before stores, desktop
        fallback and interstitial page apply. If none matches, the settings above apply.
      </p>
      <OwnFaults path="payload.rules" />
      <Ordered
        items={rules}
        nameOf={titleOf}
        onChange={onChange}
        add="Add rule"
        create={newRule}
        most={limits.rules.count}
      >
        {(rule) => (
          <OneRule
            rule={rule}
            paths={paths}
            onChange={(changed) => onChange(rules.map((one) => (one.id === rule.id ? changed : one)))}
          />
        )}
      </Ordered>
    </div>
  </details>
);

const titleOf = ({ name }: RuleDraft): string => name || 'new rule';

interface OneRuleProps {
  readonly rule: RuleDraft;
  readonly paths: ReadonlyMap<number, string>;
  readonly onChange: (rule: RuleDraft) => void;
}

const OneRule = ({ rule, paths, onChange }: OneRuleProps) => (
  <>
    <OwnFaults path={paths.get(rule.id)} />
    <details open={rule.stored === undefined}>
      <summary>{conditionsInWords(completeConditions(rule))}</summary>
      <RuleFields rule={rule} paths={paths} onChange={onChange} />
    </details>
  </>
);
