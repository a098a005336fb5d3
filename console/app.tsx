import { useEffect } from 'preact/hooks';
import { client } from './calls/client.ts';
import { useAction, useCall } from './calls/use-call.ts';
import { DeploymentFlags } from './components/command.tsx';
import { Announcement, FaultNotice } from './components/notice.tsx';
import { ProjectName } from './components/page.tsx';
import { PartTabs, ProjectBar } from './project-bar.tsx';
import { onProjectChange } from './project-change.ts';
import { A, hrefOf, usePlace } from './router.tsx';
import { Shortcuts, useShortcuts } from './shortcuts.tsx';
import { viewOf } from './views.tsx';

export const App = () => {
  const place = usePlace();
  const deployment = useCall('deployment', {});
  const { account } = client();
  const leaving = useAction();
  useShortcuts(place);
  const { project, view } = viewOf(place);
  const head = useCall('projectHead', project === undefined ? undefined : { project }, project);
  useEffect(() => onProjectChange(head.reload), [head.reload]);
  useEffect(() => {
    if (brand.logo) document.querySelector('link[rel=icon]')?.setAttribute('href', brand.logo);
  }, []);
  return (
    <DeploymentFlags.Provider value={deployment.data?.flags ?? ''}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <div class="bar-top">
          <A href={hrefOf([])} class="brand">
            <img src={brand.logo ?? `${client().base}/icon.svg`} alt="" height="26" />
            <span>{brand.name ?? 'Links console'}</span>
          </A>
          {project !== undefined && <ProjectBar project={project} head={head.data} path={place.path} />}
          {!account && <span class="target">{deployment.data?.name}</span>}
          {account && (
            <>
              <span class="target">{account.email}</span>
              <button type="button" class="quiet small" onClick={() => leaving.run(account.signOut)}>
                Sign out
              </button>
            </>
          )}
          <Shortcuts place={place} />
        </div>
      </header>
      <ProjectName.Provider value={project === undefined ? '' : (head.data?.name ?? '')}>
        <main id="main">
          {project !== undefined && <PartTabs project={project} path={place.path} />}
          <FaultNotice>{leaving.error}</FaultNotice>
          {deployment.error !== undefined ? <FaultNotice>{deployment.error}</FaultNotice> : view}
        </main>
      </ProjectName.Provider>
      <Announcement />
    </DeploymentFlags.Provider>
  );
};
