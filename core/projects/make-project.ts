import { requireName } from '../base/display-name.ts';
import { Failure } from '../base/failure.ts';
import { type Project, projectIdPattern } from './project.ts';
import type { projectStore } from './project-store.ts';

export interface ProjectDraft {
  readonly id: string;
  /** By default the id. */
  readonly name?: string | undefined;
  /** By default active. */
  readonly subscription?: Project['subscription'] | undefined;
}

/** A valid id for a new project. Throws VALIDATION_ERROR otherwise. */
export const requireProjectId = (id: string): string => {
  if (projectIdPattern.test(id)) return id;
  throw new Failure(
    'VALIDATION_ERROR',
    `'${id}' can't be a project id: use 2 to 32 of a-z, 0-9 and -, starting and ending with a letter or digit`,
  );
};

/** A valid name of a project. Throws VALIDATION_ERROR otherwise. */
export const requireProjectName = (name: string): string => requireName(name, "The project's name");

/** Creates a project. Throws VALIDATION_ERROR for an invalid id or name, and BAD_REQUEST for an id that is taken. */
export const makeProject = async (
  { id, name = id, subscription = 'active' }: ProjectDraft,
  projects: Pick<ReturnType<typeof projectStore>, 'create' | 'find'>,
  now = new Date(),
): Promise<Project> => {
  requireProjectId(id);
  requireProjectName(name);
  const project: Project = { id, name, subscription, createdAt: now.toISOString() };
  if (await projects.create(project)) return project;
  throw new Failure(
    'BAD_REQUEST',
    (await projects.find(id))
      ? `The project ${id} already exists`
      : `The project id ${id} is taken; ids of deleted projects stay taken`,
  );
};
