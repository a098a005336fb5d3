import { useMemo, useState } from 'preact/hooks';
import { namedPayloadFields } from '../../core/links/payload-fields.ts';
import { call, type Output } from '../client.ts';
import { command } from '../command-line.ts';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { hrefOf, navigate } from '../router.tsx';
import { useAction, useCall } from '../use-call.ts';
import { CodeField } from './code-field.tsx';
import { changedSettings, type FlatPayload, flatten, isPayloadEmpty, payloadOf } from './link-draft.ts';
import { PayloadSections } from './payload-sections.tsx';
import { RoutePreview } from './route-preview.tsx';

type Found = Output<'link'>['link'];

/** A new link, or an existing one that is edited. */
export const LinkFormView = ({ project, code }: { project: string; code?: string }) =>
  code === undefined ? (
    <Page title="New link">
      <LinkForm project={project} />
    </Page>
  ) : (
    <EditView project={project} code={code} />
  );

const EditView = ({ project, code }: { project: string; code: string }) => {
  const found = useCall('link', { project, code });
  return (
    <Page title={`Edit ${code}`}>
      <Loaded from={found} what="Reading the link">
        {({ link }) => <LinkForm project={project} link={link} />}
      </Loaded>
    </Page>
  );
};

/** What `datetime-local` shows, in UTC. */
const toField = (iso: string | undefined) => iso?.slice(0, 16) ?? '';
const fromField = (text: string) => (text === '' ? undefined : `${text}:00Z`);

const LinkForm = ({ project, link }: { project: string; link?: Found }) => {
  const [code, setCode] = useState('');
  const [name, setName] = useState(link?.name ?? '');
  const [expires, setExpires] = useState(toField(link?.expiresAt));
  const [fields, setFields] = useState<FlatPayload>(() => flatten(link?.payload ?? {}));
  const apps = useCall('apps', { project });
  const action = useAction();
  const set = (path: string, value: string) => setFields((before) => ({ ...before, [path]: value }));
  const payload = useMemo(() => payloadOf(fields), [fields]);
  const save = () =>
    action.run(async () => {
      const saved = link
        ? await update({ project, link, name, expires, fields })
        : (
            await call('createLink', {
              project,
              link: {
                ...(code && { code }),
                ...(name && { name }),
                ...(expires && { expiresAt: fromField(expires) }),
                payload: payload as never,
              },
            })
          ).code;
      say(link ? `${saved} is saved` : `${saved} is created`);
      navigate(hrefOf(['p', project, 'links', saved]));
    });
  return (
    <div class="two form-and-preview">
      <Form
        action={action}
        submit={link ? 'Save link' : 'Create link'}
        onSubmit={save}
        onCancel={() => history.back()}
        command={link ? undefined : command('link import', ['ROWS.ndjson'], { project })}
        api={link ? `PUT /1.0/links/${link.code}` : 'POST /1.0/links'}
      >
        <TextField
          label="Destination"
          hint="Where the link leads unless something below says otherwise."
          type="url"
          value={fields.link ?? ''}
          onText={(text) => set('link', text)}
          placeholder="https://example.com/landing"
          required
        />
        {!link && <CodeField project={project} code={code} onCode={setCode} />}
        <TextField
          label="Name"
          hint="For you and your team; visitors never see it."
          value={name}
          onText={setName}
        />
        <TextField
          label="Expires (UTC)"
          hint="Empty: never. An expired link can't be brought back."
          type="datetime-local"
          value={expires}
          onText={setExpires}
        />
        <PayloadSections entries={namedPayloadFields} fields={fields} apps={apps.data ?? []} set={set} />
      </Form>
      {!isPayloadEmpty(fields) && <RoutePreview project={project} payload={payload} />}
    </div>
  );
};

interface Edit {
  readonly project: string;
  readonly link: Found;
  readonly name: string;
  readonly expires: string;
  readonly fields: FlatPayload;
}

const update = async ({ project, link, name, expires, fields }: Edit): Promise<string> => {
  const isSameExpiry = expires === toField(link.expiresAt);
  await call('updateLink', {
    project,
    code: link.code,
    link: {
      payload: changedSettings(flatten(link.payload), fields),
      ...(name !== (link.name ?? '') && { name: name || null }),
      ...(!isSameExpiry && { expiresAt: fromField(expires) ?? null }),
    },
  });
  return link.code;
};
