import { type CallOutput, callService, client } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { CommandHint } from '../../components/command.tsx';
import { useQuestion } from '../../components/confirm.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { day } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';

type App = CallOutput<'apps'>[number];

export const AppsView = ({ project }: { project: string }) => {
  const apps = useCall('apps', { project });
  const [dialog, ask] = useQuestion(apps.reload);
  const { offers } = client();
  const remove = ({ id, name }: App) =>
    ask({
      title: `Delete ${name}?`,
      body: 'Links that name this app then use their own settings. This can’t be undone.',
      action: 'Delete app',
      dangerous: true,
      api: `DELETE /1.0/mobile-apps/${id}`,
      work: () => callService('deleteApp', { project, id }),
      done: `${name} is deleted`,
    });
  return (
    <Page
      title="Saved apps"
      actions={
        offers('createApp', project) && (
          <A href={hrefOf(['p', project, 'apps', '~new'])} class="button primary">
            New app
          </A>
        )
      }
    >
      <Loaded from={apps} what="Reading apps">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No saved apps yet">
              <p>
                Save an app once, and links name it instead of repeating its store address. A change of the
                app applies to all of them.
              </p>
              {offers('createApp', project) && (
                <A href={hrefOf(['p', project, 'apps', '~new'])} class="button primary">
                  Save an app
                </A>
              )}
            </Empty>
          ) : (
            <ul class="rows">
              {all.map((app) => (
                <li key={app.id} class="card row">
                  <div>
                    <h2>
                      {offers('updateApp', project) ? (
                        <A href={hrefOf(['p', project, 'apps', app.id])}>{app.name}</A>
                      ) : (
                        app.name
                      )}{' '}
                      <span class="badge">{app.platform === 'IOS' ? 'iOS' : 'Android'}</span>
                    </h2>
                    <p class="soft">
                      {app.bundleId ?? app.packageName} · since {day(app.createdAt)}
                    </p>
                  </div>
                  {offers('updateApp', project) && (
                    <div class="buttons">
                      <A href={hrefOf(['p', project, 'apps', app.id])} class="button">
                        Edit
                      </A>
                      <button type="button" onClick={() => remove(app)} aria-label={`Delete ${app.name}`}>
                        Delete
                      </button>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <CommandHint api="GET /1.0/mobile-apps" />
      {dialog}
    </Page>
  );
};
