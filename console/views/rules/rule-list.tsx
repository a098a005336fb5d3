import { conditionsInWords } from '../../../core/pages/rule-words.ts';
import type { Rule } from '../../../core/rules/rule.ts';
import { Outside } from '../../components/external-url.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { moment } from '../../format.ts';

/** A rule as a branch of a link's routes, with a branch for each address of its split. */
export const RuleBranch = ({ rule, place }: { rule: Rule; place: number }) => (
  <li>
    <span class="who">
      {place}. {rule.name} {stateOf(rule)}
    </span>
    <span class="why">{inWords(rule)}</span>
    {rule.link !== undefined && (
      <span class="where clamp">
        <Outside href={rule.link} />
      </span>
    )}
    {rule.split && (
      <>
        <ShareBar shares={rule.split} />
        <ul>
          {rule.split.map(({ name, percent, link }) => (
            <li key={name}>
              <span class="where clamp">
                {name}, {percent} %: <Outside href={link} />
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
  </li>
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
