import { projectIdPattern } from '../../core/projects/project.ts';
import { UsageError } from '../base/operator-error.ts';

/** A valid id for a new project. Throws UsageError otherwise. */
export const checkedProjectId = (id: string): string => {
  if (projectIdPattern.test(id)) return id;
  throw new UsageError(
    `'${id}' can't be a project id: use 2 to 32 of a-z, 0-9 and -, starting and ending with a letter or digit`,
  );
};
