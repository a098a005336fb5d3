import { useState } from 'preact/hooks';
import type { MobileAppDraft } from '../../../client/types.ts';
import { type AppPlatform, namedAppFields } from '../../../core/apps/app-fields.ts';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { hrefOf, navigate } from '../../router.tsx';
import { labelOf } from '../links/labels.ts';

type App = CallOutput<'app'>;

/** Creates or edits a saved app. */
export const AppFormView = ({ project, id }: { project: string; id?: string }) =>
  id === undefined ? (
    <Page title="New app">
      <AppForm project={project} />
    </Page>
  ) : (
    <EditView project={project} id={id} />
  );

const EditView = ({ project, id }: { project: string; id: string }) => {
  const found = useCall('app', { project, id });
  return (
    <Page title="Edit app">
      <Loaded from={found} what="Reading the app">
        {(app) => <AppForm project={project} app={app} />}
      </Loaded>
    </Page>
  );
};

const AppForm = ({ project, app }: { project: string; app?: App }) => {
  const [platform, setPlatform] = useState<AppPlatform>(app?.platform ?? 'IOS');
  const [name, setName] = useState(app?.name ?? '');
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(namedAppFields.map(([field]) => [field, app?.[field] ?? ''])),
  );
  const action = useAction();
  const fields = namedAppFields.filter(([, field]) => field.platform === platform);
  const save = () =>
    action.run(async () => {
      const settings = {
        name,
        ...Object.fromEntries(fields.map(([field]) => [field, values[field] || null])),
      };
      if (app) await callService('updateApp', { project, id: app.id, app: changedFields(app, settings) });
      // The form requires the platform's identifier.
      else await callService('createApp', { project, app: { platform, ...settings } as MobileAppDraft });
      announce(`${name} is saved`);
      navigate(hrefOf(['p', project, 'apps']));
    });
  return (
    <Form
      action={action}
      submit={app ? 'Save app' : 'Create app'}
      onSubmit={save}
      onCancel={() => history.back()}
      api={app ? `PUT /1.0/mobile-apps/${app.id}` : 'POST /1.0/mobile-apps'}
    >
      {!app && (
        <ChoiceField
          label="Platform"
          value={platform}
          choices={[
            ['IOS', 'iOS'],
            ['ANDROID', 'Android'],
          ]}
          onChoice={(value) => setPlatform(value === 'ANDROID' ? 'ANDROID' : 'IOS')}
        />
      )}
      <TextField label="Name" value={name} onText={setName} required placeholder="Example Shop" />
      {fields.map(([field, { about, example, kind }]) => (
        <TextField
          key={field}
          label={labelOf(field)}
          hint={about}
          {...(kind === 'address' && { type: 'url' as const })}
          placeholder={example}
          value={values[field] ?? ''}
          onText={(text) => setValues((before) => ({ ...before, [field]: text }))}
          required={kind === 'identifier'}
        />
      ))}
    </Form>
  );
};

/** Only the changed fields, so that concurrent changes of others stay. */
const changedFields = (app: App, settings: Readonly<Record<string, string | null>>) => {
  const before = new Map(Object.entries(app));
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== before.get(name)));
};
