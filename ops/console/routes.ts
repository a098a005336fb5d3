import type { Visitor } from '../../core/clicks/visitor.ts';
import {
  type Apps,
  type Route,
  type RoutedLink,
  route,
  type Setting,
} from '../../core/short-urls/routing.ts';

/** Where one kind of visitor goes, and why. */
export interface ShownRoute {
  readonly visitor: string;
  readonly url?: string | undefined;
  readonly target: string;
  readonly why: string;
}

const kinds: readonly { readonly name: string; readonly visitor: Visitor }[] = [
  { name: 'Android', visitor: { kind: 'person', platform: 'android' } },
  { name: 'iPhone, iPad', visitor: { kind: 'person', platform: 'ios' } },
  { name: 'Desktop', visitor: { kind: 'person', platform: 'web' } },
  { name: 'Social crawler', visitor: { kind: 'social-crawler', platform: 'web' } },
];

interface Subject {
  readonly link: RoutedLink;
  readonly apps: Apps;
  readonly shortUrl: string;
  readonly now: Date;
}

/** Where each kind of visitor goes; of a link that is not live, where they would. */
export const routesOf = ({ link, apps, shortUrl, now }: Subject): ShownRoute[] =>
  kinds.map(({ name, visitor }) => {
    const live = { ...link, status: 'ACTIVE' as const, expiresAt: undefined };
    const answer = route(live, apps, { visitor, shortUrl, query: '', now });
    return { visitor: name, ...shown(answer), why: reason(answer) };
  });

const shown = (answer: Route): Pick<ShownRoute, 'url' | 'target'> => {
  if (answer.kind === 'redirect') return { url: answer.url, target: new URL(answer.url).host };
  return { target: answer.kind === 'preview' ? 'A preview page' : 'The “not found” page' };
};

const reason = (answer: Route): string => {
  if (answer.kind === 'not-found') return 'No address can be opened';
  if (answer.kind === 'preview') return 'Social preview';
  return because[answer.setting];
};

const because: Readonly<Record<Setting, string>> = {
  'store-fallback': 'Store fallback',
  'store-id': 'Store page of the app',
  'desktop-fallback': 'Desktop fallback',
  destination: 'Destination',
};
