import { wayOf } from '../../core/pages/visitor-routes.ts';
import { type Decision, decisionName, type RuleVisitor } from '../../core/rules/decide.ts';
import type { Apps } from '../../core/short-urls/app-settings.ts';
import { type RoutedLink, ruleFor } from '../../core/short-urls/routing.ts';

/** A person, as far as rules and routes look. */
export type Goer = Omit<RuleVisitor, 'numberOf'>;

/** Where a share of such people goes. */
interface WhoGoes extends ReturnType<typeof wayOf> {
  readonly percent: number;
  /** As figures name it; undefined where no rule decides. */
  readonly rule: string | undefined;
}

interface Draft {
  readonly link: RoutedLink;
  readonly apps: Apps;
  readonly shortUrl: string;
}

const numbers = Array.from({ length: 100 }, (_, number) => number);

/**
 * Where people of one kind go. A split divides them by their numbers, which differ from rule to rule: so each rule is asked
 * by itself, with every number, and takes its share of those whom the rules before it left.
 */
export const whoGoes = ({ link, apps, shortUrl }: Draft, goer: Goer): WhoGoes[] => {
  const decided: { share: number; decision: Decision | undefined }[] = [];
  let left = 1;
  for (const rule of link.payload.rules ?? []) {
    const alone = { ...link, payload: { ...link.payload, rules: [rule] } };
    const all = numbers.flatMap(
      (number) => ruleFor(alone, { ...goer, numberOf: () => number }, shortUrl) ?? [],
    );
    for (const same of Map.groupBy(all, decisionName).values())
      decided.push({ share: (left * same.length) / numbers.length, decision: same[0] });
    left *= 1 - all.length / numbers.length;
  }
  return [...decided, { share: left, decision: undefined }]
    .filter(({ share }) => share > 0)
    .map(({ share, decision }) => ({
      percent: Math.round(share * 1000) / 10,
      rule: decision && decisionName(decision),
      ...wayOf({ link, apps, shortUrl, query: '', now: goer.now, decision }, goer.visitor),
    }));
};
