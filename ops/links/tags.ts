import { setTimeout as delay } from 'node:timers/promises';
import { readBody } from '../../core/api/request.ts';
import { faultMessage } from '../../core/base/messages.ts';

import { linkPatch } from '../../core/links/link-schema.ts';
import { storedTags, tagPattern } from '../../core/links/tags.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { OperatorError, refusing, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { changeAsOperator } from './link-edits.ts';
import { showLink } from './links.ts';

/** Tags as typed, separated by commas; undefined if none are typed. Throws UsageError. */
export const typedTags = (text: string | undefined, name: string): string[] | undefined => {
  if (text === undefined) return undefined;
  const tags = text.split(',');
  const wrong = tags.find((tag) => !tagPattern.test(tag));
  if (wrong !== undefined) throw new UsageError(`${name}: '${wrong}' ${faultMessage('tag')}`);
  return storedTags(tags);
};

/**
 * Adds and removes a link's tags, in any state of the link. Throws UsageError for lists that the API refuses,
 * OperatorError if there is no such link, or the API's VALIDATION_ERROR if it would have too many tags.
 */
export const tagLink = async (
  deployment: Deployment,
  link: LinkId,
  {
    add,
    remove,
  }: { readonly add?: readonly string[] | undefined; readonly remove?: readonly string[] | undefined },
) => {
  const request = await refusing(async () => readBody(linkPatch, { addTags: add, removeTags: remove }));
  await changeAsOperator(deployment, link, { request, state: 'any' });
  return showLink(deployment, link.project, link.code);
};

/** The longest time in milliseconds from a write's read of tags' names until its link is stored. */
const writeMs = 2000;

/** Removes a tag that no link has any more. Throws OperatorError if there is no such tag, or a link has it. */
export const forgetTag = async (
  deployment: Deployment,
  { project, tag }: { readonly project: string; readonly tag: string },
  pause: (ms: number) => Promise<unknown> = delay,
): Promise<{ readonly project: string; readonly tag: string }> => {
  const { stores } = deployment;
  await findProject(deployment, project);
  if (!(await stores.tags.list(project)).includes(tag))
    throw new OperatorError(`The project ${project} has no tag ${tag}`);
  const refuseUsed = async () => {
    for await (const [one] of stores.links.all(project, [tag]))
      if (one)
        throw new OperatorError(
          `${one.link.code} has the tag ${tag}, and maybe others do: remove it from them first`,
        );
  };
  await refuseUsed();
  await stores.tags.forget(project, tag);
  // A link with the tag may be in progress, whose write read the names before this.
  await pause(writeMs);
  await refuseUsed().catch(async (error: unknown) => {
    await stores.tags.note(project, tag);
    throw error;
  });
  return { project, tag };
};
