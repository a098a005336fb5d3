import { useLayoutEffect } from 'preact/hooks';
import { type CallOutput, client } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { RecentClicks } from '../../components/recent-clicks.tsx';
import { address, number } from '../../format.ts';
import { A, hrefOf, isFirstView, navigate } from '../../router.tsx';

type Project = CallOutput<'projects'>[number];

export const ProjectsView = () => {
  const projects = useCall('projects', {});
  const { isOperators } = client();
  const [only, ...more] = projects.data ?? [];
  // Only when the console is opened, so that the way back and the link to the projects lead here.
  const lands = only !== undefined && more.length === 0 && isFirstView();
  useLayoutEffect(() => {
    if (lands) navigate(hrefOf(['p', only.id]), { replace: true });
  }, [lands]);
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
              <p>A project has its own links, API keys and hosts. Create one to create links.</p>
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
    <div class="row">
      <h2 class="clamp" dir="auto">
        <A href={hrefOf(['p', project.id])} class="cover">
          {project.name}
        </A>
      </h2>
      <State project={project} />
    </div>
    <p class="soft">
      {[project.name.toLowerCase() === project.id ? '' : project.id, address(project.shortBase ?? '')]
        .filter(Boolean)
        .join(' · ')}
    </p>
    {client().isOperators && (
      <p class="counts">
        <Count count={project.links ?? 0} one="link" />
        <Count count={project.clicks ?? 0} one="click" />
      </p>
    )}
    {project.suspended ? (
      <p class="soft">Its short URLs return 404, and its keys are refused.</p>
    ) : (
      <RecentClicks project={project.id} hasWords />
    )}
  </>
);

/** A member's role, or for operators why a project doesn't work as usual. */
const State = ({ project }: { project: Project }) => {
  if (project.role)
    return <span class="badge">{project.role.replace(/^./, (first) => first.toUpperCase())}</span>;
  if (project.suspended) return <span class="badge blocked">Suspended</span>;
  return project.subscription === 'active' ? null : <span class="badge paused">No subscription</span>;
};
