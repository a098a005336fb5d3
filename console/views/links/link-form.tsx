import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { call, type Output } from '../../client.ts';
import { command } from '../../command-line.ts';
import { Field, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { say } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { TagsInput } from '../../parts/tags.tsx';
import { port } from '../../port.ts';
import { hrefOf, navigate } from '../../router.tsx';
import { useAction, useCall } from '../../use-call.ts';
import { changedRules, draftsOf, pathsOf, type RuleDraft, rulesOf } from '../rules/rule-draft.ts';
import { RulesEditor } from '../rules/rules-editor.tsx';
import { fromField, toField } from '../rules/utc-field.ts';
import { RoutePreview } from '../visits/route-preview.tsx';
import { CodeField } from './code-field.tsx';
import { changedSettings, type FlatPayload, flatten, isPayloadEmpty, payloadOf } from './link-draft.ts';
import { PayloadSections } from './payload-sections.tsx';

type Found = Output<'link'>['link'];

interface LinkFormViewProps {
  readonly project: string;
  /** Of the link that is edited. */
  readonly code?: string;
  /** Of a link that a new one begins as. */
  readonly like?: string | undefined;
}

/** A new link, maybe with the settings of another, or an existing one that is edited. */
export const LinkFormView = ({ project, code, like }: LinkFormViewProps) => {
  if (code !== undefined)
    return (
      <Read title={`Edit ${code}`} project={project} code={code}>
        {(link) => <LinkForm project={project} link={link} />}
      </Read>
    );
  if (like !== undefined)
    return (
      <Read title={`New link like ${like}`} project={project} code={like}>
        {(link) => <LinkForm project={project} like={link} />}
      </Read>
    );
  return (
    <Page title="New link">
      <LinkForm project={project} />
    </Page>
  );
};

interface ReadProps {
  readonly title: string;
  readonly project: string;
  readonly code: string;
  readonly children: (link: Found) => VNode;
}

const Read = ({ title, project, code, children }: ReadProps) => {
  const found = useCall('link', { project, code });
  return (
    <Page title={title}>
      <Loaded from={found} what="Reading the link">
        {({ link }) => children(link)}
      </Loaded>
    </Page>
  );
};

interface LinkFormProps {
  readonly project: string;
  /** That is edited. */
  readonly link?: Found;
  /** Whose settings a new link begins with. */
  readonly like?: Found;
}

const LinkForm = ({ project, link, like }: LinkFormProps) => {
  const first = link ?? like;
  const [code, setCode] = useState('');
  const [name, setName] = useState(first?.name ?? '');
  const [tags, setTags] = useState<readonly string[]>(first?.tags ?? []);
  // A link that has expired is duplicated to live again.
  const [expires, setExpires] = useState(first?.status === 'EXPIRED' ? '' : toField(first?.expiresAt));
  const [fields, setFields] = useState<FlatPayload>(() => flatten(first?.payload ?? {}));
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => draftsOf(first?.payload.rules));
  const [sentPaths, setSentPaths] = useState<ReadonlyMap<number, string>>(new Map());
  const apps = useCall('apps', { project });
  const action = useAction();
  const set = (path: string, value: string) => setFields((before) => ({ ...before, [path]: value }));
  const payload = useMemo(
    () => ({ ...payloadOf(fields), ...(rules.length > 0 && { rules: rulesOf(rules) }) }),
    [fields, rules],
  );
  const save = () => {
    // Faults name places of this request, whatever is moved meanwhile.
    setSentPaths(pathsOf(rules));
    action.run(async () => {
      const saved = link
        ? await update({ project, link, name, tags, expires, fields, rules })
        : (
            await call('createLink', {
              project,
              link: {
                ...(code && { code }),
                ...(name && { name }),
                ...(tags.length > 0 && { tags }),
                ...(expires && { expiresAt: fromField(expires) }),
                payload: payload as never,
              },
            })
          ).code;
      say(link ? `${saved} is saved` : `${saved} is created`);
      navigate(hrefOf(['p', project, 'links', saved]));
    });
  };
  return (
    <div class="two form-and-preview">
      <Form
        action={action}
        submit={link ? 'Save link' : 'Create link'}
        onSubmit={save}
        onCancel={() => history.back()}
        command={commandOf({ project, link, code, name, tags, expires: fromField(expires), fields, rules })}
        api={link ? `PUT /1.0/links/${link.code}` : 'POST /1.0/links'}
      >
        <TextField
          label="Destination"
          path="payload.link"
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
          path="name"
          hint="For you and your team; visitors never see it."
          value={name}
          onText={setName}
        />
        <Field
          label="Tags"
          path="tags"
          hint="To find the link by, such as summer or poster/berlin; at most ten."
        >
          {(ids) => <TagsInput project={project} tags={tags} onTags={setTags} ids={{ ...ids }} />}
        </Field>
        <TextField
          label="Expires (UTC)"
          path="expiresAt"
          hint="Empty: never. An expired link can't be brought back."
          type="datetime-local"
          value={expires}
          onText={setExpires}
        />
        <PayloadSections entries={namedPayloadFields} fields={fields} apps={apps.data ?? []} set={set} />
        <RulesEditor rules={rules} onChange={setRules} paths={sentPaths} />
      </Form>
      {port().offers('routes') && !isPayloadEmpty(fields) && (
        <RoutePreview project={project} code={link?.code ?? code} payload={payload} />
      )}
    </div>
  );
};

interface Said {
  readonly project: string;
  readonly link: Found | undefined;
  readonly code: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly expires: string | undefined;
  readonly fields: FlatPayload;
  readonly rules: readonly RuleDraft[];
}

/** The command for a new link. What has no flag goes into a file; an edit shows none. */
const commandOf = ({ project, link, code, name, tags, expires, fields, rules }: Said) => {
  if (link) return undefined;
  const isPlain =
    rules.length === 0 && Object.entries(fields).every(([path, value]) => path === 'link' || value === '');
  const where = isPlain ? { link: fields.link ?? 'URL' } : { file: 'LINK.json' };
  return command('link create', [], { project, ...where, code, name, tags: tags.join(), expires });
};

interface Edit {
  readonly project: string;
  readonly link: Found;
  readonly name: string;
  readonly tags: readonly string[];
  readonly expires: string;
  readonly fields: FlatPayload;
  readonly rules: readonly RuleDraft[];
}

const update = async ({ project, link, name, tags, expires, fields, rules }: Edit): Promise<string> => {
  const isSameExpiry = expires === toField(link.expiresAt);
  await call('updateLink', {
    project,
    code: link.code,
    link: {
      payload: {
        ...changedSettings(flatten(link.payload), fields),
        ...changedRules(link.payload.rules, rules),
      },
      ...(name !== (link.name ?? '') && { name: name || null }),
      ...(tags.join() !== (link.tags ?? []).join() && { tags }),
      ...(!isSameExpiry && { expiresAt: fromField(expires) ?? null }),
    },
  });
  return link.code;
};
