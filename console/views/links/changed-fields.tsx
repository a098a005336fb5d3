import { useEffect, useState } from 'preact/hooks';
import type { LinkPatch } from '../../../client/types.ts';
import { useCall } from '../../calls/use-call.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { fromField } from '../../components/local-time.ts';
import { TimeField } from '../../components/time-field.tsx';

interface ChangedFieldsProps {
  readonly project: string;
  readonly onPatch: (patch: LinkPatch) => void;
}

const campaign = ['utm_source', 'utm_medium', 'utm_campaign'] as const;
const appFields = [
  ['ios', 'iosAppId', 'App on iPhone and iPad'],
  ['android', 'androidAppId', 'App on Android'],
] as const;

/** Fields to set in several links. Empty ones leave each link as it is. */
export const ChangedFields = ({ project, onPatch }: ChangedFieldsProps) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const apps = useCall('apps', { project }, project).data ?? [];
  const field = (name: string) => ({
    value: values[name] ?? '',
    onText: (text: string) => setValues((before) => ({ ...before, [name]: text.trim() })),
  });
  useEffect(() => onPatch(patchOf(values)), [values]);
  return (
    <>
      <p class="soft">Empty fields leave each link as it is.</p>
      <TimeField label="Expires" {...field('expires')} />
      {campaign.map((name) => (
        <TextField key={name} label={name} {...field(name)} />
      ))}
      {appFields.map(([platform, name, label]) => {
        const choices = apps.filter((app) => app.platform.toLowerCase() === platform);
        const { value, onText } = field(name);
        return choices.length === 0 ? null : (
          <ChoiceField
            key={name}
            label={label}
            hint="Replaces the link’s own settings for this platform."
            value={value}
            choices={[['', 'As it is'], ...choices.map((app) => [app.id, app.name] as const)]}
            onChoice={onText}
          />
        );
      })}
    </>
  );
};

const patchOf = (values: Readonly<Record<string, string>>): LinkPatch => {
  const utm = campaign.flatMap((name) => (values[name] ? [[name, values[name]]] : []));
  const payload = {
    ...(utm.length > 0 && { campaign: Object.fromEntries(utm) }),
    ...Object.fromEntries(
      appFields.flatMap(([platform, name]) =>
        values[name]
          ? [
              [platform, null],
              [name, values[name]],
            ]
          : [],
      ),
    ),
  };
  return {
    ...(values.expires && { expiresAt: fromField(values.expires) }),
    ...(Object.keys(payload).length > 0 && { payload }),
  } as LinkPatch;
};
