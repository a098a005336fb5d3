import { appSections } from '../../../core/apps/app-fields.ts';
import { shownAddress, withoutDirections } from '../../../core/base/shown-text.ts';
import { namedPayloadFields } from '../../../core/links/payload-fields.ts';
import { type CallOutput, client } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { Fact } from '../../components/fact.tsx';
import { moment } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';
import { dataRows } from './app-data.tsx';
import { labelOf, titles } from './labels.ts';
import { type FlatPayload, flatten } from './link-draft.ts';

type Found = CallOutput<'link'>;

/** A link's settings, with the labels of its form. */
export const LinkSettingsForm = ({ link }: { link: Found }) => {
  const emailOf = useEmails(link.projectId, [link.createdBy, link.updatedBy]);
  const by = (who: string | undefined) => (who ? ` by ${emailOf(who)}` : '');
  return (
    <section class="card stack">
      <h2>Details</h2>
      <dl class="facts settings">
        <Fact name="Created">
          {moment(link.createdAt)}
          {by(link.createdBy)}
        </Fact>
        <Fact name="Updated">
          {moment(link.updatedAt)}
          {by(link.updatedBy)}
        </Fact>
        <Fact name="Expires">{link.expiresAt ? moment(link.expiresAt) : 'Never'}</Fact>
        {link.blockedAt && <Fact name="Blocked">{moment(link.blockedAt)}</Fact>}
        {link.blockedReason && <Fact name="Reason">{link.blockedReason}</Fact>}
        {dataRows(link.payload.data).map(([name, text]) => (
          <Fact key={name} name={`Data: ${name}`}>
            {withoutDirections(text)}
          </Fact>
        ))}
        {settingsOf(flatten(link.payload)).map(({ path, name, text, isApp }) => (
          <Fact key={path} name={name}>
            {isApp ? <AppName project={link.projectId} id={text} /> : text}
          </Fact>
        ))}
      </dl>
    </section>
  );
};

/** Operators' calls return members' ids, so their e-mails are looked up. */
const useEmails = (project: string, people: readonly (string | undefined)[]) => {
  const isAsked = client().isOperators && people.some((one) => one?.startsWith('m_'));
  const { data = [] } = useCall('members', isAsked ? { project } : undefined, project);
  return (who: string) => data.find(({ id }) => id === who)?.email ?? who;
};

interface Setting {
  readonly path: string;
  readonly name: string;
  readonly text: string;
  /** Whether the text is a saved app's id. */
  readonly isApp: boolean;
}

/** In the order of the form. */
const settingsOf = (settings: FlatPayload): Setting[] =>
  namedPayloadFields.flatMap(([name, entry]): Setting[] => {
    if (!('fields' in entry)) {
      const text = settings[name];
      if (text === undefined || appSections.some(({ appId }) => appId === name)) return [];
      const shown = entry.kind === 'choice' ? labelOf(text) : shownAddress(text);
      return [
        { path: name, name: name === 'link' ? 'Destination' : labelOf(name), text: shown, isApp: false },
      ];
    }
    const title = titles[name] ?? labelOf(name);
    const appId = appSections.find((section) => section.name === name)?.appId;
    const id = appId && settings[appId];
    if (id !== undefined) return [{ path: name, name: title, text: id, isApp: true }];
    return Object.keys(entry.fields).flatMap((field) => {
      const [path, text] = [`${name}.${field}`, settings[`${name}.${field}`]];
      if (text === undefined) return [];
      return [{ path, name: `${title}: ${labelOf(field)}`, text: shownAddress(text), isApp: false }];
    });
  });

/** A saved app, with a link to its form for users who may edit it. */
const AppName = ({ project, id }: { project: string; id: string }) => {
  const { data, error } = useCall('app', { project, id }, id);
  if (error !== undefined) return <>A saved app that can’t be read</>;
  if (!data) return <>…</>;
  const path = client().offers('updateApp', project) ? ['p', project, 'apps', id] : ['p', project, 'apps'];
  return (
    <>
      Saved app <A href={hrefOf(path)}>{data.name}</A>
    </>
  );
};
