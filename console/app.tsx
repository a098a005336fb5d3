import { useEffect } from 'preact/hooks';
import { type CallOutput, port } from './calls/port.ts';
import { useAction, useCall } from './calls/use-call.ts';
import { DeploymentFlags } from './components/command.tsx';
import { FaultNotice, Said } from './components/notice.tsx';
import { ProjectName } from './components/page.tsx';
import { onProjectChange } from './project-change.ts';
import { A, hrefOf, usePlace } from './router.tsx';
import { Shortcuts, useShortcuts } from './shortcuts.tsx';
import { viewOf } from './views.tsx';

export const App = () => {
  const place = usePlace();
  const target = useCall('target', {});
  const { account } = port();
  const leaving = useAction();
  useShortcuts(place);
  const { project, view } = viewOf(place);
  const head = useCall('projectHead', project === undefined ? undefined : { project }, project);
  useEffect(() => onProjectChange(head.reload), [head.reload]);
  return (
    <DeploymentFlags.Provider value={target.data?.flags ?? ''}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <div class="bar-top">
          <A href={hrefOf([])} class="brand">
            <img src={`${port().base}/icon.svg`} alt="" width="26" height="26" />
            <span>Links console</span>
          </A>
          {project !== undefined && <ProjectBar project={project} head={head.data} path={place.path} />}
          {!account && <span class="target">{target.data?.name}</span>}
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
          {leaving.error !== undefined && <FaultNotice>{leaving.error}</FaultNotice>}
          {target.error !== undefined ? <FaultNotice>{target.error}</FaultNotice> : view}
        </main>
      </ProjectName.Provider>
      <Said />
    </DeploymentFlags.Provider>
  );
};

/** The parts of a project, each with the call that it needs. */
const sections = [
  ['', 'Links', 'links'],
  ['figures', 'Figures', 'figures'],
  ['apps', 'Apps', 'apps'],
  ['members', 'Members', 'members'],
  ['keys', 'Keys', 'keys'],
  ['requests', 'Requests', 'requests'],
  ['hosts', 'Hosts', 'hosts'],
  ['webhooks', 'Webhooks', 'webhooks'],
  ['import', 'Import', 'importLinks'],
  ['export', 'Export', 'exportLinks'],
  ['settings', 'Settings', 'setSubscription'],
] as const;

interface ProjectBarProps {
  readonly project: string;
  readonly head: CallOutput<'projectHead'> | undefined;
  readonly path: readonly string[];
}

/** The project that is looked at, and its parts. */
const ProjectBar = ({ project, head, path }: ProjectBarProps) => {
  const offered = sections.filter(([, , call]) => port().offers(call, project));
  const section = path[2] === 'links' || path[2] === undefined ? '' : path[2];
  useEffect(() => {
    document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [section]);
  return (
    <nav class="project-bar" aria-label={`Project ${head?.name ?? ''}`}>
      <p class="crumbs">
        <A href={hrefOf([])}>Projects</A> <span aria-hidden="true">/</span>{' '}
        <strong>{head?.name ?? '…'}</strong>
      </p>
      {head?.isSuspended && (
        <p class="notice warn suspended-project" role="status">
          This project is suspended: its short URLs answer 404 and its keys may do nothing.
          {port().offers('resumeProject', project) && (
            <A href={hrefOf(['p', project, 'settings'])}>Resume it in its settings</A>
          )}
        </p>
      )}
      <ul class="tabs">
        {offered.map(([name, label]) => (
          <li key={name}>
            <A href={hrefOf(['p', project, ...(name ? [name] : [])])} current={name === section}>
              {label}
            </A>
          </li>
        ))}
      </ul>
    </nav>
  );
};
