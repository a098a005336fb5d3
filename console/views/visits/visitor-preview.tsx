import { useState } from 'preact/hooks';
import { preferredLanguage } from '../../../core/rules/language.ts';
import { peopleKinds, type VisitorKind, visitorKinds } from '../../../core/visits/visitor.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { fromField } from '../../components/local-time.ts';
import { Hint } from '../../components/notice.tsx';
import { Outside } from '../../components/outside.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { TimeField } from '../../components/time-field.tsx';
import { type Draft, deadRules, routeShares } from './route-shares.ts';

const kinds = peopleKinds().map((kind) => [kind, visitorKinds[kind].name] as const);

/** Shows the redirect's decision for a chosen kind of visitor. */
export const VisitorPreview = ({ draft }: { readonly draft: Draft }) => {
  const [visitor, setVisitor] = useState({
    kind: 'desktop' as VisitorKind,
    country: '',
    language: '',
    at: '',
  });
  const set = (change: Partial<typeof visitor>) => setVisitor((before) => ({ ...before, ...change }));
  const at = new Date(fromField(visitor.at) ?? '');
  const shares = routeShares(draft, {
    visitor: visitorKinds[visitor.kind].visitor,
    country: visitor.country.toUpperCase() || undefined,
    language: preferredLanguage(visitor.language),
    now: Number.isNaN(at.getTime()) ? new Date() : at,
  });
  return (
    <div class="visitor-preview stack">
      <div class="pair">
        <ChoiceField
          label="Visitor on"
          value={visitor.kind}
          choices={kinds}
          onChoice={(kind) => set({ kind: kind as VisitorKind })}
        />
        <TextField
          label="Country"
          hint="Such as DE. Empty: unknown."
          maxLength={2}
          value={visitor.country}
          onText={(country) => set({ country })}
        />
        <TextField
          label="Language"
          hint="Such as de-AT. Empty: none."
          value={visitor.language}
          onText={(language) => set({ language })}
        />
        <TimeField label="Time" hint="Empty: now." value={visitor.at} onText={(at) => set({ at })} />
      </div>
      {deadRules(draft.link).map((fault) => (
        <Hint key={fault}>{fault}</Hint>
      ))}
      <div role="status">
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
    </div>
  );
};
