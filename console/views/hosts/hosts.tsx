import { useState } from 'preact/hooks';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { useQuestion } from '../../components/confirm.tsx';
import { Outside } from '../../components/external-url.tsx';
import { Fact } from '../../components/fact.tsx';
import { TextField } from '../../components/field.tsx';
import { FormSection } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { AssociationPanel } from './association.tsx';

type Hosts = CallOutput<'hosts'>;

export const HostsView = ({ project }: { project: string }) => {
  const hosts = useCall('hosts', { project });
  return (
    <Page title="Hosts">
      <Loaded from={hosts} what="Reading hosts">
        {(data) => (
          <div class="beside">
            <div class="stack">
              <p>
                Short URLs of this project start with <code>{data.shortBase}/</code>
              </p>
              {data.hosts.length > 0 && (
                <>
                  <HostList data={data} reload={hosts.reload} />
                  <CommandHint line={commandFor('domain list')} />
                </>
              )}
              <AssociationPanel project={project} association={data.association} reload={hosts.reload} />
            </div>
            <AssignHost project={project} isFirst={data.hosts.length === 0} reload={hosts.reload} />
          </div>
        )}
      </Loaded>
    </Page>
  );
};

interface HostListProps {
  readonly data: Hosts;
  readonly reload: () => void;
}

const HostList = ({ data: { hosts, sharedHost }, reload }: HostListProps) => {
  const [dialog, ask] = useQuestion(reload);
  const remove = (host: string) =>
    ask({
      title: `Remove ${host}?`,
      body: 'Its short URLs stop working at once, wherever they are printed.',
      action: 'Remove host',
      dangerous: true,
      typed: host,
      command: commandFor('domain remove', [host]),
      work: () => callService('removeHost', { host }),
      done: `${host} is removed`,
    });
  const makePrimary = (project: string, host: string) =>
    ask({
      title: `Use ${host} for short URLs?`,
      body: 'All short URLs and QR codes of the project will begin with it. Printed ones keep working. Check its DNS and certificate first.',
      action: 'Use for short URLs',
      command: commandFor('domain assign', [host], { project, primary: true }),
      work: () => callService('assignHost', { project, host, primary: true }),
      done: `Short URLs begin with ${host}`,
    });
  return (
    <ul class="rows">
      {hosts.map(({ host, project, root, notFound, primary }) => (
        <li key={host} class="card stack">
          <div class="row">
            <h2>{host}</h2>
            {primary ? (
              <span class="badge good">Primary</span>
            ) : (
              <button
                type="button"
                onClick={() => makePrimary(project, host)}
                aria-label={`Use ${host} for short URLs`}
              >
                Use for short URLs
              </button>
            )}
            {host === sharedHost && <span class="badge">The shared host</span>}
            {host !== sharedHost && (!primary || hosts.length === 1) && (
              <button type="button" onClick={() => remove(host)} aria-label={`Remove ${host}`}>
                Remove
              </button>
            )}
          </div>
          {host !== sharedHost && (
            <dl class="facts">
              <Fact name="Start page">
                {root === undefined ? 'None: the 404 page' : <Outside href={root} />}
              </Fact>
              <Fact name="Link on the 404 page">
                {notFound === undefined ? 'None' : <Outside href={notFound} />}
              </Fact>
            </dl>
          )}
          <HostChecks host={host} />
        </li>
      ))}
      {dialog}
    </ul>
  );
};

const marks = { good: 'Good', bad: 'Wrong', unseen: 'Not seen' } as const;

const HostChecks = ({ host }: { host: string }) => {
  const checks = useCall('checkHost', { host }, host);
  return (
    <Loaded from={checks} what={`Checking ${host}`}>
      {(all) => (
        <>
          <ul class="checks">
            {all.map(({ name, result, detail }) => (
              <li key={name}>
                <span class={`badge ${result === 'unseen' ? '' : result}`}>{marks[result]}</span>{' '}
                <b>{name}</b> <span class="soft">{detail}</span>
              </li>
            ))}
          </ul>
          <button type="button" class="small" onClick={checks.reload}>
            Check again
          </button>
        </>
      )}
    </Loaded>
  );
};

interface AssignHostProps {
  readonly project: string;
  readonly isFirst: boolean;
  readonly reload: () => void;
}

const AssignHost = ({ project, isFirst, reload }: AssignHostProps) => {
  const [host, setHost] = useState('');
  const [root, setRoot] = useState('');
  const [notFound, setNotFound] = useState('');
  const action = useAction();
  const assign = () =>
    action.run(async () => {
      const pages = { ...(root && { root }), ...(notFound && { notFound }) };
      const assigned = await callService('assignHost', { project, host, ...pages });
      announce(`${assigned.host} belongs to ${project}`);
      for (const clear of [setHost, setRoot, setNotFound]) clear('');
      reload();
    });
  return (
    <FormSection
      title="Assign a host, or change one"
      empty={
        isFirst && {
          title: 'No custom host',
          text: (
            <>
              The project’s links live in its folder on the shared host. With a host of its own they become{' '}
              <code>https://HOST/code</code>; the folder goes on working.
            </>
          ),
        }
      }
      action={action}
      submit="Assign host"
      onSubmit={assign}
      command={commandFor('domain assign', [host || 'HOST'], { project, root, 'not-found': notFound })}
    >
      <TextField
        label="Host"
        hint="Its DNS must point to this service, whose certificate must cover it; see docs/hosts.md."
        value={host}
        onText={setHost}
        placeholder="go.example.com"
        required
      />
      <TextField
        label="Start page"
        hint="Where the bare host leads. Empty: unchanged; initially the 404 page."
        type="url"
        value={root}
        onText={setRoot}
        placeholder="https://example.com/"
      />
      <TextField
        label="Link on the 404 page"
        hint="Empty: unchanged; initially none."
        type="url"
        value={notFound}
        onText={setNotFound}
        placeholder="https://example.com/help"
      />
    </FormSection>
  );
};
