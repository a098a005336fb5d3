import { call } from '../client.ts';
import { moment } from '../format.ts';
import { Command } from '../parts/command.tsx';
import { useQuestion } from '../parts/confirm.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
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
          </div>
        )}
      </Loaded>
      <Command line={`project show ${project}`} />
      {dialog}
    </Page>
  );
};
