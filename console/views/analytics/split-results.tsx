import type { Rule, SplitEntry } from '../../../core/rules/rule.ts';
import { Outside } from '../../components/external-url.tsx';
import { Fact } from '../../components/fact.tsx';
import { number, share } from '../../format.ts';
import type { rankedNames } from './analytics-names.ts';

interface SplitResultsProps {
  readonly rules: readonly Rule[];
  /** Clicks by deciding rule or split entry, by the names in analytics. */
  readonly decided: ReturnType<typeof rankedNames>;
}

/** Compares the intended share and the actual clicks of each split's entries. */
export const SplitResults = ({ rules, decided }: SplitResultsProps) => (
  <>
    {rules.map(
      ({ name, split }) => split && <OneSplit key={name} rule={name} split={split} decided={decided} />,
    )}
  </>
);

interface OneSplitProps extends Pick<SplitResultsProps, 'decided'> {
  readonly rule: string;
  readonly split: readonly SplitEntry[];
}

const OneSplit = ({ rule, split, decided }: OneSplitProps) => {
  const clicksOf = (name: string) => decided.find((one) => one.name === `${rule}/${name}`)?.count ?? 0;
  const clicks = split.reduce((sum, { name }) => sum + clicksOf(name), 0);
  const whole = split.reduce((sum, { percent }) => sum + percent, 0);
  return (
    <section class="card">
      <h2>Split {rule}</h2>
      <ul class="sides">
        {split.map(({ name, percent, link }) => (
          <li key={name}>
            <h3>{name}</h3>
            <p class="clamp">
              <Outside href={link} />
            </p>
            <dl class="totals">
              <Fact
                name="Clicks"
                note={clicks > 0 ? `${share(clicksOf(name), clicks)} of the split’s` : 'none yet'}
              >
                {number(clicksOf(name))}
              </Fact>
              <Fact name="Share" note={whole < 100 && `${percent} % of the rule’s visitors`}>
                {share(percent, whole)}
              </Fact>
            </dl>
            <progress aria-label={`Clicks of ${name}`} value={clicksOf(name)} max={Math.max(1, clicks)} />
          </li>
        ))}
      </ul>
    </section>
  );
};
