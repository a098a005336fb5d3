import type { MobileApp, SavedSettings } from '../../../core/apps/mobile-app.ts';
import { faultMessage } from '../../../core/base/messages.ts';
import { allowLocalhost, webAddressFault } from '../../../core/destinations/web-address.ts';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { visitorRoutes, wayOf } from '../../../core/pages/visitor-routes.ts';
import { type Decision, decisionName, type RuleVisitor } from '../../../core/rules/decide.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { type RoutedLink, ruleFor, savedAppId } from '../../../core/short-urls/routing.ts';

/** A person, as far as rules and routes look. */
type Goer = Omit<RuleVisitor, 'numberOf'>;

/** Where a share of such people goes. */
interface WhoGoes extends ReturnType<typeof wayOf> {
  readonly percent: number;
  /** As figures name it; undefined where no rule decides. */
  readonly rule: string | undefined;
}

/** A link as if it were live, or would be once it is saved: people want to see where it would lead. */
export interface Draft {
  readonly link: RoutedLink;
  /** The saved apps that it names. */
  readonly apps: Apps;
  readonly shortUrl: string;
}

type SavedApps = readonly (Pick<MobileApp, 'id' | 'name'> & Readonly<Partial<SavedSettings>>)[];

/** A payload that nobody has checked yet, on a short host. */
export const draftOf = (
  payload: LinkPayload,
  { shortUrl, apps }: { readonly shortUrl: string; readonly apps: SavedApps },
): Draft => {
  const link: RoutedLink = { status: 'ACTIVE', payload };
  const named = (platform: 'ios' | 'android') => {
    const found = apps.find(({ id }) => id === savedAppId(link, platform));
    return found && Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
  };
  // Only a local stack has a short host without TLS, and it leads to localhost as well.
  if (shortUrl.startsWith('http://')) allowLocalhost();
  return { link, shortUrl, apps: { ios: named('ios'), android: named('android') } };
};

/** Where each kind of visitor goes if no rule decides. */
export const routesOf = (draft: Draft, now = new Date()) => visitorRoutes({ ...draft, query: '', now });

/** Rules of which an address can't be followed: visitors pass them by. */
export const deadRules = ({ payload: { rules = [] } }: RoutedLink): string[] =>
  rules.flatMap((rule, index) =>
    [...(rule.split ?? []).map(({ link }) => link), ...(rule.split ? [] : [rule.link ?? ''])].flatMap(
      (link) => {
        const fault = webAddressFault(link);
        return fault ? [`Rule ${index + 1}: its address ${faultMessage(fault)}.`] : [];
      },
    ),
  );

const numbers = Array.from({ length: 100 }, (_, number) => number);

/**
 * Where people of one kind go. A split divides them by their numbers, which differ from rule to rule. So each rule is tried
 * separately with every number, and takes its share of the people whom earlier rules left.
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
