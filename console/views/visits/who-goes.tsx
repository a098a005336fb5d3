import { useState } from 'preact/hooks';
import type { Fault } from '../../../core/base/failure.ts';
import { peopleKinds, type VisitorKind, visitorKinds } from '../../../core/visits/visitor.ts';
import type { CallInput } from '../../calls/port.ts';
import { useCall } from '../../calls/use-call.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { fromField } from '../../components/local-time.ts';
import { Hint } from '../../components/notice.tsx';
import { Outside } from '../../components/outside.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { TimeField } from '../../components/time-field.tsx';

const kinds = peopleKinds().map((kind) => [kind, visitorKinds[kind].name] as const);

interface WhoGoesProps {
  readonly project: string;
  readonly code: string;
  readonly payload: CallInput<'whoGoes'>['payload'];
}

/** Where a visitor of a kind that one chooses would go, as the redirect decides it. */
export const WhoGoes = ({ project, code, payload }: WhoGoesProps) => {
  const [visitor, setVisitor] = useState({
    kind: 'desktop' as VisitorKind,
    country: '',
    language: '',
    at: '',
  });
  const set = (change: Partial<typeof visitor>) => setVisitor((before) => ({ ...before, ...change }));
  const at = fromField(visitor.at) ?? '';
  const answer = useCall('whoGoes', { project, code, payload, visitor: { ...visitor, at } }, project);
  return (
    <div class="who-goes stack">
      <div class="pair">
        <ChoiceField
          label="Visitor on"
          value={visitor.kind}
          choices={kinds}
          onChoice={(kind) => set({ kind: kind as VisitorKind })}
        />
        <TextField
          label="Country"
          hint="As DE. Empty: unknown."
          maxLength={2}
          value={visitor.country}
          onText={(country) => set({ country })}
        />
        <TextField
          label="Language"
          hint="As de-AT. Empty: none."
          value={visitor.language}
          onText={(language) => set({ language })}
        />
        <TimeField label="Time" hint="Empty: now." value={visitor.at} onText={(at) => set({ at })} />
      </div>
      <Loaded from={answer} what="Asking the rules">
        {({ ways, faults }) =>
          faults.length > 0 ? (
            <Hint>{faults.map(faultInWords).join('; ')}</Hint>
          ) : (
            <div role="status">
              {ways.length > 1 && (
                <ShareBar shares={ways.map(({ rule, percent }) => ({ name: rule ?? '', percent }))} />
              )}
              <ul class="ways">
                {ways.map(({ percent, rule, url, target, why }) => (
                  <li key={rule ?? ''}>
                    {ways.length > 1 && <b>{percent} % </b>}
                    {url === undefined ? target : <Outside href={url} />} <span class="soft">{why}</span>
                  </li>
                ))}
              </ul>
            </div>
          )
        }
      </Loaded>
    </div>
  );
};

/** `payload.rules.1.split.0.link` is rule 2, split 1, link to people. */
const faultInWords = ({ field, message }: Fault): string => {
  const place = field
    .replace(/^payload\.rules\.?/, '')
    .split('.')
    .filter((name) => name !== '')
    .map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name));
  return `${['rule', ...place].join(' ')} ${message}`.replace(/^rule m/, 'rules m');
};
