import { type CallOutput, port } from '../../calls/port.ts';
import { useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { RecentClicks } from '../../components/recent-clicks.tsx';
import { address, number } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';

type Project = CallOutput<'projects'>[number];

export const ProjectsView = () => {
  const projects = useCall('projects', {});
  const { isOperators } = port();
  return (
    <Page
      title="Projects"
      actions={
        isOperators && (
          <>
            <A href={hrefOf(['destinations'])} class="button quiet">
              Blocked destinations
            </A>
            <A href={hrefOf(['new'])} class="button primary">
              New project
            </A>
          </>
        )
      }
    >
      <Loaded from={projects} what="Reading projects">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No projects yet">
              <p>A project has its own links, API keys and hosts. Create one to make links.</p>
              <A href={hrefOf(['new'])} class="button primary">
                Create a project
              </A>
            </Empty>
          ) : (
            <ul class="cards">
              {all.map((project) => (
                <li key={project.id} class="card">
                  <ProjectCard project={project} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <CommandHint line={commandFor('project list')} />
    </Page>
  );
};

const Count = ({ count, one }: { count: number; one: string }) => (
  <span>
    <b>{number(count)}</b> {count === 1 ? one : `${one}s`}
  </span>
);

const ProjectCard = ({ project }: { project: Project }) => (
  <>
    <h2 class="clamp" dir="auto">
      <A href={hrefOf(['p', project.id])} class="cover">
        {project.name}
      </A>
    </h2>
    <p class="soft">
      {[project.name.toLowerCase() === project.id ? '' : project.id, address(project.shortBase ?? '')]
        .filter(Boolean)
        .join(' · ')}
    </p>
    {port().isOperators && (
      <p class="counts">
        <Count count={project.links ?? 0} one="link" />
        <Count count={project.clicks ?? 0} one="click" />
      </p>
    )}
    <RecentClicks project={project.id} hasWords />
    <p>
      {project.role ? (
        <span class="badge">{project.role === 'editor' ? 'Editor' : 'Viewer'}</span>
      ) : project.suspended ? (
        <span class="badge blocked">Suspended</span>
      ) : project.subscription === 'active' ? (
        <span class="badge active">Active</span>
      ) : (
        <span class="badge paused">No subscription</span>
      )}
    </p>
  </>
);
