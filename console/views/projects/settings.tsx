import { useState } from 'preact/hooks';
import { callService, client } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { useQuestion } from '../../components/confirm.tsx';
import { Fact } from '../../components/fact.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { moment } from '../../format.ts';
import { announceProjectChange } from '../../project-change.ts';
import { navigate } from '../../router.tsx';
import { ProjectQrStyle } from '../links/qr-code.tsx';

export const SettingsView = ({ project }: { project: string }) =>
  client().isOperators ? (
    <ProjectSettings project={project} />
  ) : (
    <Page title="Settings">
      <ProjectQrStyle project={project} />
    </Page>
  );

const ProjectSettings = ({ project }: { project: string }) => {
  const found = useCall('project', { project });
  const [dialog, ask] = useQuestion(found.reload);
  const setSubscription = (subscription: 'active' | 'inactive') =>
    ask({
      title: subscription === 'active' ? 'Activate the subscription?' : 'End the subscription?',
      body:
        subscription === 'active'
          ? 'API keys of the project can create links.'
          : 'API keys of the project can’t create links any more. Existing links go on working.',
      action: subscription === 'active' ? 'Activate' : 'End subscription',
      command: commandFor('project subscription', [project, subscription]),
      work: () => callService('setSubscription', { project, subscription }),
      done: 'Subscription changed',
    });
  const setSuspended = (suspend: boolean) =>
    ask({
      title: suspend ? `Suspend ${project}?` : `Resume ${project}?`,
      body: suspend
        ? 'Within 5 seconds its short URLs return 404 and its keys are rejected, until you resume it.'
        : 'Its short URLs and keys work again.',
      action: suspend ? 'Suspend project' : 'Resume',
      ...(suspend && { dangerous: true }),
      command: commandFor(suspend ? 'project suspend' : 'project resume', [project]),
      work: async () => {
        await callService(suspend ? 'suspendProject' : 'resumeProject', { project });
        announceProjectChange();
      },
      done: suspend ? `${project} is suspended` : `${project} is resumed`,
    });
  const remove = () =>
    ask({
      title: `Delete the project ${project}?`,
      body: (
        <>
          <p>
            All links, analytics, saved apps and keys of the project are deleted permanently. Its short URLs
            return 404.
          </p>
          <p>The id stays reserved, and so do its hosts, until you remove them.</p>
        </>
      ),
      action: 'Delete project',
      dangerous: true,
      typed: project,
      command: commandFor('project delete', [project], { yes: true }),
      work: async (onProgress) => {
        await callService('deleteProject', { project }, { onProgress });
        announce(`${project} is deleted`);
        navigate('/', { replace: true });
      },
    });
  return (
    <Page title="Settings">
      <Loaded from={found} what="Reading the project">
        {({ id, name, subscription, createdAt, shortBase, suspended }) => (
          <div class="beside">
            <div class="stack">
              <dl class="facts card">
                <Fact name="Id">{id}</Fact>
                <Fact name="Created">{moment(createdAt)}</Fact>
                <Fact name="Short URLs">{shortBase}/…</Fact>
              </dl>
              <RenameProject project={id} name={name} reload={found.reload} />
              <Change
                title="Subscription"
                about={
                  subscription === 'active'
                    ? 'Active: API keys can create links.'
                    : 'Inactive: API keys can’t create links.'
                }
                action={subscription === 'active' ? 'End subscription' : 'Activate'}
                onAction={() => setSubscription(subscription === 'active' ? 'inactive' : 'active')}
              />
              <Change
                title={suspended ? 'This project is suspended' : 'Suspend this project'}
                about={
                  suspended
                    ? 'Its short URLs return 404 and its keys are refused.'
                    : 'Stops its short URLs and its keys until you resume it. Nothing is lost.'
                }
                action={suspended ? 'Resume' : 'Suspend project'}
                onAction={() => setSuspended(!suspended)}
              />
              <Change
                title="Delete this project"
                about="Permanently, with everything in it."
                action="Delete project"
                onAction={remove}
                isDangerous
              />
            </div>
            <ProjectQrStyle project={id} />
          </div>
        )}
      </Loaded>
      <CommandHint line={commandFor('project show', [project])} />
      {dialog}
    </Page>
  );
};

interface ChangeProps {
  readonly title: string;
  readonly about: string;
  readonly action: string;
  readonly onAction: () => void;
  readonly isDangerous?: boolean;
}

const Change = ({ title, about, action, onAction, isDangerous }: ChangeProps) => (
  <section class="card row">
    <div>
      <h2>{title}</h2>
      <p class="soft">{about}</p>
    </div>
    <button type="button" class={isDangerous ? 'danger' : undefined} onClick={onAction}>
      {action}
    </button>
  </section>
);

interface RenameProjectProps {
  readonly project: string;
  readonly name: string;
  readonly reload: () => void;
}

const RenameProject = ({ project, name, reload }: RenameProjectProps) => {
  const [text, setText] = useState(name);
  const action = useAction();
  const save = () =>
    action.run(async () => {
      await callService('renameProject', { project, name: text });
      announce('Name saved');
      announceProjectChange();
      reload();
    });
  return (
    <section class="card">
      <Form
        action={action}
        submit="Save name"
        onSubmit={save}
        command={commandFor('project rename', [project], { name: text })}
      >
        <TextField
          label="Name"
          hint="The displayed name; the id doesn't change."
          value={text}
          onText={setText}
          required
        />
      </Form>
    </section>
  );
};
