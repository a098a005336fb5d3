import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { LinkDraft, LinkPatch } from '../../../client/types.ts';
import { namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { announceLink } from '../../components/copy.tsx';
import { FormField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { fromField, toField } from '../../components/local-time.ts';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { TagsInput } from '../../components/tags.tsx';
import { TimeField } from '../../components/time-field.tsx';
import { leaveFreely, useLeaveQuestion } from '../../leave-question.ts';
import { A, hrefOf, navigate } from '../../router.tsx';
import { changedRules, draftsOf, pathsOf, type RuleDraft, rulesFromDrafts } from '../rules/rule-draft.ts';
import { RulesEditor } from '../rules/rules-editor.tsx';
import { RoutePreview } from '../visits/route-preview.tsx';
import { changedData, type DataRows, dataOf, dataRows } from './app-data.tsx';
import { CodeField } from './code-field.tsx';
import { changedSettings, type FlatPayload, flatten, payloadOf } from './link-draft.ts';
import { PayloadSections } from './payload-sections.tsx';

type Found = CallOutput<'link'>;

interface LinkFormViewProps {
  readonly project: string;
  /** The edited link's code. */
  readonly code?: string;
  /** The code of the link that a new one copies. */
  readonly like?: string | undefined;
}

/** Creates a link, optionally as a copy, or edits one. */
export const LinkFormView = ({ project, code, like }: LinkFormViewProps) => {
  if (code !== undefined)
    return (
      <Read title="Edit" project={project} code={code}>
        {(link) => <LinkForm project={project} link={link} />}
      </Read>
    );
  if (like !== undefined)
    return (
      <Read title="New link like" project={project} code={like}>
        {(link) => <LinkForm project={project} like={link} />}
      </Read>
    );
  return (
    <Page
      title="New link"
      actions={
        <A href={hrefOf(['p', project, 'links', '~many'])} class="button">
          Many at once
        </A>
      }
    >
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
    <Page title={`${title} ${found.data?.name ?? code}`}>
      <Loaded from={found} what="Reading the link">
        {(link) => children(link)}
      </Loaded>
    </Page>
  );
};

interface LinkFormProps {
  readonly project: string;
  /** The edited link. */
  readonly link?: Found;
  /** The link to copy. */
  readonly like?: Found;
}

const LinkForm = ({ project, link, like }: LinkFormProps) => {
  const first = link ?? like;
  const [code, setCode] = useState('');
  const [name, setName] = useState(first?.name ?? '');
  const [tags, setTags] = useState<readonly string[]>(first?.tags ?? []);
  // The copy of an expired link shouldn't be expired.
  const [expires, setExpires] = useState(first?.status === 'EXPIRED' ? '' : toField(first?.expiresAt));
  const [fields, setFields] = useState<FlatPayload>(() => flatten(first?.payload ?? {}));
  const [data, setData] = useState<DataRows>(() => dataRows(first?.payload.data));
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => draftsOf(first?.payload.rules));
  const [sentPaths, setSentPaths] = useState<ReadonlyMap<number, string>>(new Map());
  const apps = useCall('apps', { project });
  const action = useAction();
  const set = (path: string, value: string) => setFields((before) => ({ ...before, [path]: value }));
  const payload = useMemo(
    () => ({
      ...payloadOf(fields),
      ...dataOf(data),
      ...(rules.length > 0 && { rules: rulesFromDrafts(rules) }),
    }),
    [fields, data, rules],
  );
  const draft = { code, name, tags, expires, fields, data, rules };
  const patch = link && patchOf(link, draft);
  const typed = JSON.stringify(draft);
  const [untouched] = useState(typed);
  useLeaveQuestion(typed !== untouched);
  const draftOf = () => ({
    ...(code && { code }),
    ...(name && { name }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(expires && { expiresAt: fromField(expires) }),
    payload: payload as LinkDraft['payload'],
  });
  const save = () => {
    // Faults refer to this request's paths, even if rules have moved since.
    setSentPaths(pathsOf(rules));
    action.run(async () => {
      const saved = link ?? (await callService('createLink', { project, link: draftOf() }));
      if (patch) await callService('updateLink', { project, code: saved.code, link: patch as LinkPatch });
      leaveFreely();
      if (link) announce(`${name || saved.code} is saved`);
      else announceLink(name || saved.code, saved.shortUrl);
      navigate(hrefOf(['p', project, 'links', saved.code]));
    });
  };
  return (
    <div class="two form-and-preview">
      <Form
        action={action}
        submit={link ? 'Save link' : 'Create link'}
        onSubmit={save}
        onCancel={() => history.back()}
        command={link && patch ? edit(link, patch) : creation(project, draft)}
        more={<PreviewButton />}
        api={link ? `PATCH /1.0/links/${link.code}` : 'POST /1.0/links'}
      >
        <div class="card sheet">
          <TextField
            label="Destination"
            path="payload.link"
            hint="Where the link leads unless a setting below applies."
            type="url"
            value={fields.link ?? ''}
            onText={(text) => set('link', text)}
            placeholder="https://example.com/landing"
            required
            autofocus
          />
          {!link && <CodeField project={project} code={code} onCode={setCode} />}
          <div class="pair">
            <TextField
              label="Name"
              path="name"
              hint="For you and your team; visitors never see it."
              value={name}
              onText={setName}
            />
            <FormField
              label="Tags"
              path="tags"
              hint="To find the link, such as summer or poster/berlin; at most ten."
            >
              {(ids) => <TagsInput project={project} tags={tags} onTags={setTags} ids={{ ...ids }} />}
            </FormField>
          </div>
          <TimeField
            label="Expires"
            path="expiresAt"
            hint="Empty: never. An expired link can't be brought back."
            value={expires}
            onText={setExpires}
          />
        </div>
        <div class="card sections">
          <PayloadSections
            entries={namedPayloadFields}
            fields={fields}
            apps={apps.data ?? []}
            {...{ set, data, setData }}
          />
          <RulesEditor rules={rules} onChange={setRules} paths={sentPaths} />
        </div>
      </Form>
      <LinkPreview project={project} code={link?.code ?? code} payload={payload as Found['payload']} />
    </div>
  );
};

const PreviewButton = () => (
  <button
    type="button"
    class="narrow"
    onClick={() => document.querySelector('.form-and-preview aside')?.scrollIntoView()}
  >
    Preview
  </button>
);

/** The link's routes, next to its form: below it, the page was 2,420 pixels high instead of 1,220. */
const LinkPreview = (preview: { project: string; code: string; payload: Found['payload'] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: next to a long form it has its own scroll bar, which needs the keyboard
  <aside class="stack" aria-label="Preview" tabIndex={0}>
    <h2>Where it will lead</h2>
    {Object.keys(preview.payload).length === 0 ? (
      <p class="soft">
        As soon as you type a destination, this shows where each kind of visitor goes, likely mistakes, the
        social card and the QR code.
      </p>
    ) : (
      <RoutePreview {...preview} />
    )}
  </aside>
);

interface Draft {
  readonly code: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** As a value of `datetime-local`. */
  readonly expires: string;
  readonly fields: FlatPayload;
  readonly data: DataRows;
  readonly rules: readonly RuleDraft[];
}

/** The command for a new link. Settings without a flag go into a file. */
const creation = (project: string, { code, name, tags, expires, fields, data, rules }: Draft) => {
  const isPlain =
    rules.length + data.length === 0 &&
    Object.entries(fields).every(([path, value]) => path === 'link' || value === '');
  const where = isPlain ? { link: fields.link ?? 'URL' } : { file: 'LINK.json' };
  const own = { code, name, tags: tags.join(), expires: fromField(expires) };
  return commandFor('link create', [], { project, ...where, ...own });
};

/** The changes of a link, as a merge patch. */
const patchOf = (link: Found, { name, tags, expires, fields, data, rules }: Draft) => {
  const payload = {
    ...changedSettings(flatten(link.payload), fields),
    ...changedData(link.payload.data, data),
    ...changedRules(link.payload.rules, rules),
  };
  return {
    ...(Object.keys(payload).length > 0 && { payload }),
    ...(name !== (link.name ?? '') && { name: name || null }),
    ...(tags.join() !== (link.tags ?? []).join() && { tags: tags.length > 0 ? [...tags] : null }),
    ...(expires !== toField(link.expiresAt) && { expiresAt: fromField(expires) ?? null }),
  };
};

/** The command for the same change. Settings without a flag and cleared ones go into a file. */
const edit = (link: Found, { payload = {}, name, tags, expiresAt }: ReturnType<typeof patchOf>) => {
  const { link: destination, ...more } = payload as Readonly<Record<string, unknown>>;
  const own = {
    link: destination as string | undefined,
    name,
    tags: tags?.join(),
    expires: expiresAt,
  };
  const isPlain =
    Object.keys(more).length === 0 &&
    !Object.values({ ...own, tags }).includes(null) &&
    Object.values(own).some(Boolean);
  const project = link.projectId;
  return commandFor('link update', [link.code], {
    project,
    ...(isPlain ? (own as Record<string, string | undefined>) : { file: 'CHANGE.json' }),
  });
};
