import type { MobileApp, SavedSettings } from '../../../core/apps/mobile-app.ts';
import { faultMessage } from '../../../core/base/messages.ts';
import { allowLocalhost, webAddressFault } from '../../../core/destinations/web-address.ts';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { describedRoute, visitorRoutes } from '../../../core/pages/visitor-routes.ts';
import { type Decision, decisionName, type RuleVisitor } from '../../../core/rules/decide.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { type RoutedLink, ruleFor, savedAppId } from '../../../core/short-urls/routing.ts';

/** The properties of a visitor that rules and routes use. */
type PreviewedVisitor = Omit<RuleVisitor, 'numberOf'> & { readonly userAgent?: string | undefined };

/** A share of such visitors, and their route. */
interface RouteShare extends ReturnType<typeof describedRoute> {
  readonly percent: number;
  /** The rule's name in analytics; undefined if no rule decides. */
  readonly rule: string | undefined;
}

/** A link treated as active, whatever its state, to preview where it leads. */
export interface Draft {
  readonly link: RoutedLink;
  /** The saved apps that it names. */
  readonly apps: Apps;
  readonly shortUrl: string;
}

type SavedApps = readonly (Pick<MobileApp, 'id' | 'name'> & Readonly<Partial<SavedSettings>>)[];

/** A draft of an unchecked payload on a short host. */
export const draftOf = (
  payload: LinkPayload,
  { shortUrl, apps }: { readonly shortUrl: string; readonly apps: SavedApps },
): Draft => {
  const link: RoutedLink = { status: 'ACTIVE', payload };
  const named = (platform: 'ios' | 'android') => {
    const found = apps.find(({ id }) => id === savedAppId(link, platform));
    return found && Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
  };
  // Only local stacks have a short host without TLS, and they allow localhost as destination.
  if (shortUrl.startsWith('http://')) allowLocalhost();
  return { link, shortUrl, apps: { ios: named('ios'), android: named('android') } };
};

/** Where each kind of visitor goes if no rule decides. */
export const routesOf = (draft: Draft, now = new Date()) => visitorRoutes({ ...draft, query: '', now });

/** Warnings for rules with an invalid address, which the redirect skips. */
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
 * The routes of visitors of one kind. A split divides visitors by their numbers, which differ from rule to rule. So each rule
 * is evaluated separately with every number, and takes its share of the visitors that earlier rules left.
 */
export const routeShares = ({ link, apps, shortUrl }: Draft, previewed: PreviewedVisitor): RouteShare[] => {
  const decided: { share: number; decision: Decision | undefined }[] = [];
  let left = 1;
  for (const rule of link.payload.rules ?? []) {
    const alone = { ...link, payload: { ...link.payload, rules: [rule] } };
    const all = numbers.flatMap(
      (number) => ruleFor(alone, { ...previewed, numberOf: () => number }, shortUrl) ?? [],
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
      ...describedRoute(
        { link, apps, shortUrl, query: '', now: previewed.now, decision },
        previewed.visitor,
        previewed.userAgent,
      ),
    }));
};
