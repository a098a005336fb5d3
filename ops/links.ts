import type { Figures } from '../core/links/link.ts';
import { OperatorError, type Target } from './target.ts';

/** What was counted of a link, and what was left out as no click, by reason. */
export interface LinkFigures extends Figures {
  readonly project: string;
  readonly code: string;
  readonly excluded: Readonly<Record<string, number>>;
}

/** Throws OperatorError if the project has never had such a link. */
export const linkFigures = async (
  { stores }: Target,
  project: string,
  code: string,
): Promise<LinkFigures> => {
  if (!(await stores.links.code(project, code))) {
    throw new OperatorError(`The project ${project} has no link ${code}`);
  }
  const { figures, excluded } = await stores.figures.find(project, code);
  return { project, code, ...figures, excluded };
};
