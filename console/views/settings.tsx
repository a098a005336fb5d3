import { call } from '../client.ts';
import { moment } from '../format.ts';
import { Command } from '../parts/command.tsx';
import { useQuestion } from '../parts/confirm.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { navigate } from '../router.tsx';
import { useCall } from '../use-call.ts';

export const SettingsView = ({ project }: { project: string }) => {
  const found = useCall('project', { project });
  const [dialog, ask] = useQuestion();
  const setSubscription = (subscription: 'active' | 'inactive') =>
    ask({
      title: subscription === 'active' ? 'Activate the subscription?' : 'End the subscription?',
      body:
        subscription === 'active'
          ? 'API keys of the project can create links.'
          : 'API keys of the project can’t create links any more. Existing links go on working.',
      action: subscription === 'active' ? 'Activate' : 'End subscription',
      command: `project subscription ${project} ${subscription}`,
      work: async () => {
        await call('setSubscription', { project, subscription });
        say('The subscription is changed');
        found.reload();
      },
    });
  const remove = () =>
    ask({
      title: `Delete the project ${project}?`,
      body: (
        <>
          <p>
            All links, figures, saved apps and keys of the project are deleted, for good. Its short URLs
            answer 404.
          </p>
          <p>The id stays taken, and so do its hosts, until you remove them.</p>
        </>
      ),
      action: 'Delete project',
      dangerous: true,
      typed: project,
      command: `project delete ${project} --yes`,
      work: async (onProgress) => {
        await call('deleteProject', { project }, { onProgress });
        say(`${project} is deleted`);
        navigate('/', { replace: true });
      },
    });
  return (
    <Page title={`Settings of ${project}`} heading="Settings">
      <Loaded from={found} what="Reading the project">
        {({ id, name, subscription, createdAt, shortBase }) => (
          <div class="stack">
            <dl class="facts card">
              <div>
                <dt>Id</dt>
                <dd>{id}</dd>
              </div>
              <div>
                <dt>Name</dt>
                <dd>{name}</dd>
              </div>
              <div>
                <dt>Created</dt>
                <dd>{moment(createdAt)}</dd>
              </div>
              <div>
                <dt>Short URLs</dt>
                <dd>{shortBase}/…</dd>
              </div>
            </dl>
            <section class="card row">
              <div>
                <h2>Subscription</h2>
                <p class="soft">
                  {subscription === 'active'
                    ? 'Active: API keys can create links.'
                    : 'Inactive: API keys can’t create links.'}
                </p>
              </div>
              {subscription === 'active' ? (
                <button type="button" onClick={() => setSubscription('inactive')}>
                  End subscription
                </button>
              ) : (
                <button type="button" onClick={() => setSubscription('active')}>
                  Activate
                </button>
              )}
            </section>
            <section class="card row">
              <div>
                <h2>Delete this project</h2>
                <p class="soft">With everything in it, for good.</p>
              </div>
              <button type="button" class="danger" onClick={remove}>
                Delete project
              </button>
            </section>
          </div>
        )}
      </Loaded>
      <Command line={`project show ${project}`} />
      {dialog}
    </Page>
  );
};
