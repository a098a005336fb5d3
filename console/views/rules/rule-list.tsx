import { conditionsInWords } from '../../../core/pages/rule-words.ts';
import type { Rule } from '../../../core/rules/rule.ts';
import { Outside } from '../../components/outside.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { moment } from '../../format.ts';

/** Describes a link's rules in order. */
export const RuleList = ({ rules }: { rules: readonly Rule[] }) => (
  <ol class="rule-list">
    {rules.map((rule) => (
      <li key={rule.name}>
        <p>
          <strong>{rule.name}</strong> {stateOf(rule)}
        </p>
        <p class="soft">{inWords(rule)}</p>
        {rule.link !== undefined && (
          <span class="clamp">
            <Outside href={rule.link} />
          </span>
        )}
        {rule.split && (
          <>
            <ShareBar shares={rule.split} />
            <ul>
              {rule.split.map(({ name, percent, link }) => (
                <li key={name} class="clamp">
                  {name}, {percent} %: <Outside href={link} />
                </li>
              ))}
            </ul>
          </>
        )}
      </li>
    ))}
  </ol>
);

/** Describes a rule's conditions, with times in the viewer's zone. */
const inWords = ({ from, until, ...rule }: Rule): string =>
  [conditionsInWords(rule), from && `from ${moment(from)} on`, until && `until ${moment(until)}`]
    .filter(Boolean)
    .join(', ');

const stateOf = ({ from, until }: Rule) => {
  const now = new Date().toISOString();
  if (until !== undefined && until <= now) return <span class="badge warn">its time has passed</span>;
  return from !== undefined && now < from ? <span class="badge">begins later</span> : null;
};
