import { useState } from 'preact/hooks';
import { inInstagram } from '../../../core/pages/visitor-routes.ts';
import { preferredLanguage } from '../../../core/rules/language.ts';
import type { RuleConditions } from '../../../core/rules/rule.ts';
import { type VisitorKind, visitorKinds } from '../../../core/visits/visitor.ts';
import { Check } from '../../components/checks.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Outside } from '../../components/external-url.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { fromField, toField } from '../../components/local-time.ts';
import { knownCodes, nameOfCode } from '../../components/named-codes.ts';
import { Hint } from '../../components/notice.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { TimeField } from '../../components/time-field.tsx';
import { deadRules, routeShares } from './route-shares.ts';
import type { RoutedDraft } from './use-draft.ts';

const kinds = [
  ...(Object.keys(visitorKinds) as VisitorKind[]).map((kind) => [kind, visitorKinds[kind].name] as const),
  ['android-in-app', 'Instagram & co, Android'],
  ['ios-in-app', 'Instagram & co, iPhone'],
] as const;

const fields = ['as', 'country', 'language', 'at', 'app'] as const;

interface VisitorPreviewProps {
  readonly draft: RoutedDraft;
  /** The visitor to begin with, as `addressOf` writes it. */
  readonly asked?: URLSearchParams;
  /** The address at which somebody else sees the same visitor. */
  readonly addressOf?: (visitor: Readonly<Record<string, string>>) => string;
}

type Chosen = Readonly<Record<(typeof fields)[number], string>>;

/** A visitor whom a rule matches. */
const visitorFor = ({ platforms = ['web'], countries, languages, from }: RuleConditions = {}): Chosen => ({
  as: platforms[0]?.replace('web', 'desktop') ?? '',
  country: countries?.[0] ?? '',
  language: languages?.[0] ?? '',
  at: from !== undefined && from > new Date().toISOString() ? toField(from) : '',
  app: '',
});

/** Shows the redirect's decision for a kind of visitor: one of the first rule, until the user chooses. */
export const VisitorPreview = ({ draft, asked, addressOf }: VisitorPreviewProps) => {
  const [given, setGiven] = useState(
    () => asked?.get('as') && Object.fromEntries(fields.map((name) => [name, asked.get(name) ?? ''])),
  );
  // Every field was just given.
  const visitor = given ? (given as Chosen) : visitorFor(draft.link.payload.rules?.[0]);
  const set = (change: Partial<Chosen>) => setGiven({ ...visitor, ...change });
  const at = new Date(fromField(visitor.at) ?? '');
  const kind = visitorKinds[visitor.as.replace('-in-app', '') as VisitorKind] ?? visitorKinds.desktop;
  const isInApp = visitor.as.endsWith('-in-app');
  const shares = routeShares(draft, {
    visitor: kind.visitor,
    userAgent: isInApp ? inInstagram : undefined,
    country: visitor.country.toUpperCase() || undefined,
    language: preferredLanguage(visitor.language),
    now: Number.isNaN(at.getTime()) ? new Date() : at,
  });
  const { platform } = kind.visitor;
  const mayHaveApp = platform !== 'web' && !isInApp;
  const chosen = Object.fromEntries(Object.entries(visitor).filter(([, value]) => value !== ''));
  return (
    <div class="visitor-preview stack">
      <div class="pair">
        <ChoiceField label="Visitor on" value={visitor.as} choices={kinds} onChoice={(as) => set({ as })} />
        <ChoiceField
          label="Country"
          value={visitor.country}
          choices={[['', 'Unknown'], ...knownCodes('countries')]}
          onChoice={(country) => set({ country })}
        />
        <TextField
          label="Language"
          hint={visitor.language ? nameOfCode('languages', visitor.language) : 'Such as de-AT. Empty: none.'}
          value={visitor.language}
          onText={(language) => set({ language })}
        />
        <TimeField label="Time" hint="Empty: now." value={visitor.at} onText={(at) => set({ at })} />
      </div>
      {mayHaveApp && (
        <Check checked={visitor.app !== ''} onCheck={(checked) => set({ app: checked ? '1' : '' })}>
          The app is installed
        </Check>
      )}
      {deadRules(draft.link).map((fault) => (
        <Hint key={fault}>{fault}</Hint>
      ))}
      <div role="status">
        {mayHaveApp && visitor.app !== '' && <p>{opens(platform, draft.association)}</p>}
        {shares.length > 1 && (
          <ShareBar shares={shares.map(({ rule, percent }) => ({ name: rule ?? '', percent }))} />
        )}
        <ul class="ways">
          {shares.map(({ percent, rule, url, target, why }) => (
            <li key={rule ?? ''}>
              {shares.length > 1 && <b>{percent} % </b>}
              {url === undefined ? target : <Outside href={url} />} <span class="soft">{why}</span>
            </li>
          ))}
        </ul>
      </div>
      {addressOf && (
        <p>
          <CopyButton
            text={addressOf(chosen)}
            what="the address of this try"
            words="Copy the address of this try"
          />
        </p>
      )}
    </div>
  );
};

/** What an installed app does: the system decides before the browser asks this service. */
const opens = (platform: 'ios' | 'android', association: RoutedDraft['association']): string => {
  if (association === 'unknown')
    return 'A tap opens the app, if the operators of this service associated it with the short URLs. Otherwise the browser opens:';
  return association?.[platform].length
    ? 'A tap opens the app with the short URL, and the browser isn’t used. A typed address leads to:'
    : `No ${visitorKinds[platform].name} app is associated with the project’s short URLs, so the browser opens:`;
};
