import { useEffect } from 'preact/hooks';
import { TargetFlags } from './parts/command.tsx';
import { Fault, Said } from './parts/notice.tsx';
import { onProjectChange } from './project-change.ts';
import { A, hrefOf, usePlace } from './router.tsx';
import { Shortcuts, useShortcuts } from './shortcuts.tsx';
import { useCall } from './use-call.ts';
import { viewOf } from './views.tsx';

export const App = () => {
  const place = usePlace();
  const target = useCall('target', {});
  useShortcuts(place);
  const { project, view } = viewOf(place);
  return (
    <TargetFlags.Provider value={target.data?.flags ?? ''}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <div class="bar-top">
          <A href="/" class="brand">
            <img src="/icon.svg" alt="" width="26" height="26" />
            <span>Links console</span>
          </A>
          <span class="target">{target.data?.name}</span>
          <Shortcuts />
        </div>
        {project !== undefined && <ProjectBar project={project} path={place.path} />}
      </header>
      <main id="main">{target.error !== undefined ? <Fault>{target.error}</Fault> : view}</main>
      <Said />
    </TargetFlags.Provider>
  );
};

const sections = [
  ['', 'Links'],
  ['figures', 'Figures'],
  ['apps', 'Apps'],
  ['keys', 'Keys'],
  ['requests', 'Requests'],
  ['hosts', 'Hosts'],
  ['webhooks', 'Webhooks'],
  ['import', 'Import'],
  ['export', 'Export'],
  ['settings', 'Settings'],
] as const;

/** The project that is looked at, and its parts. */
const ProjectBar = ({ project, path }: { project: string; path: readonly string[] }) => {
  const section = path[2] === 'links' || path[2] === undefined ? '' : path[2];
  const suspended = useCall('isSuspended', { project }, project);
  useEffect(() => onProjectChange(suspended.reload), [suspended.reload]);
  useEffect(() => {
    document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [section]);
  return (
    <nav class="project-bar" aria-label={`Project ${project}`}>
      <p class="crumbs">
        <A href="/">Projects</A> <span aria-hidden="true">/</span> <strong>{project}</strong>
      </p>
      {suspended.data && (
        <p class="notice warn suspended-project" role="status">
          This project is suspended: its short URLs answer 404 and its keys may do nothing.
          <A href={hrefOf(['p', project, 'settings'])}>Resume it in its settings</A>
        </p>
      )}
      <ul class="tabs">
        {sections.map(([name, label]) => (
          <li key={name}>
            <A href={`/p/${encodeURIComponent(project)}${name && `/${name}`}`} current={name === section}>
              {label}
            </A>
          </li>
        ))}
      </ul>
    </nav>
  );
};
