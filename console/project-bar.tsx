import { useEffect } from 'preact/hooks';
import { type CallOutput, client } from './calls/client.ts';
import { A, hrefOf } from './router.tsx';

/** The parts of a project, each with its required call and its tab. */
const sections = [
  { name: '', label: 'Links', call: 'links' },
  { name: 'analytics', label: 'Analytics', call: 'analytics' },
  { name: 'apps', label: 'Apps', call: 'apps' },
  { name: 'members', label: 'Members', call: 'members' },
  { name: 'keys', label: 'Keys', call: 'keys', tab: 'Developers' },
  { name: 'requests', label: 'Requests', call: 'requests', tab: 'Developers' },
  { name: 'webhooks', label: 'Webhooks', call: 'webhooks', tab: 'Developers' },
  { name: 'import', label: 'Import', call: 'importLinks', tab: 'Transfer' },
  { name: 'export', label: 'Export', call: 'exportLinks', tab: 'Transfer' },
  { name: 'hosts', label: 'Hosts', call: 'hosts' },
  { name: 'settings', label: 'Settings', call: 'setQrStyle' },
] as const;

interface ProjectBarProps {
  readonly project: string;
  readonly head: CallOutput<'projectHead'> | undefined;
  readonly path: readonly string[];
}

const sectionOf = (path: readonly string[]): string => (path[2] === 'links' ? '' : (path[2] ?? ''));

/** The available tabs, each with its parts. */
const tabsOf = (project: string, path: readonly string[]) => {
  const shown = sections.filter(({ call }) => client().offers(call, project));
  const groups = [...Map.groupBy(shown, (one) => ('tab' in one ? one.tab : one.label))];
  return groups.map(([tab, parts]) => ({
    label: parts.length > 1 ? tab : (parts[0]?.label ?? tab),
    name: parts[0]?.name ?? '',
    parts,
    isCurrent: parts.some(({ name }) => name === sectionOf(path)),
  }));
};

interface TabsProps {
  readonly project: string;
  readonly tabs: readonly { readonly label: string; readonly name: string; readonly isCurrent: boolean }[];
}

const Tabs = ({ project, tabs }: TabsProps) => (
  <ul class="tabs">
    {tabs.map(({ label, name, isCurrent }) => (
      <li key={name}>
        <A href={hrefOf(['p', project, ...(name ? [name] : [])])} current={isCurrent}>
          {label}
        </A>
      </li>
    ))}
  </ul>
);

/** The current project and its parts. */
export const ProjectBar = ({ project, head, path }: ProjectBarProps) => {
  const section = sectionOf(path);
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
          This project is suspended: its short URLs return 404 and its keys are refused.
          {client().offers('resumeProject', project) && (
            <A href={hrefOf(['p', project, 'settings'])}>Resume it in its settings</A>
          )}
        </p>
      )}
      <Tabs project={project} tabs={tabsOf(project, path)} />
    </nav>
  );
};

/** The parts of the current tab, if it has several. */
export const PartTabs = ({ project, path }: Omit<ProjectBarProps, 'head'>) => {
  const { label, parts = [] } = tabsOf(project, path).find(({ isCurrent }) => isCurrent) ?? {};
  if (parts.length < 2) return null;
  const tabs = parts.map((part) => ({ ...part, isCurrent: part.name === sectionOf(path) }));
  return (
    <nav aria-label={label}>
      <Tabs project={project} tabs={tabs} />
    </nav>
  );
};
