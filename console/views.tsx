import type { VNode } from 'preact';
import { Page } from './parts/page.tsx';
import { A, type Place } from './router.tsx';
import { LinksView } from './views/links.tsx';
import { NewProjectView } from './views/new-project.tsx';
import { ProjectsView } from './views/projects.tsx';

interface Shown {
  /** The project that the view belongs to. */
  readonly project?: string;
  readonly view: VNode;
}

/** What an address shows. Keys make views of different subjects start anew. */
export const viewOf = (place: Place): Shown => {
  const [root, project, section] = place.path;
  if (root === undefined) return { view: <ProjectsView /> };
  if (root === 'new' && project === undefined) return { view: <NewProjectView /> };
  if (root !== 'p' || project === undefined) return { view: <Nowhere /> };
  if (section === undefined)
    return { project, view: <LinksView key={project} project={project} query={place.query} /> };
  return { project, view: <Nowhere /> };
};

const Nowhere = () => (
  <Page title="Nothing here">
    <p>
      This address shows nothing. <A href="/">Go to the projects</A>
    </p>
  </Page>
);
