import type { APIGatewayProxyEvent } from 'aws-lambda';
import { failure } from '../../core/base/messages.ts';
import { readEmail } from '../../core/members/member.ts';
import { type Role, roles } from '../../core/members/roles.ts';
import { projectIdPattern } from '../../core/projects/project.ts';
import { bodyText } from '../frame/body-text.ts';

export const isProject = (id: unknown): id is string => typeof id === 'string' && projectIdPattern.test(id);

const isRole = (role: unknown): role is Role => roles.some((one) => one === role);

const bodyIn = (event: APIGatewayProxyEvent): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(bodyText(event) ?? ''));
  } catch {
    // Invalid JSON has no fields, either.
    return {};
  }
};

/** Throws a Failure. */
export const projectIn = (event: APIGatewayProxyEvent): string => {
  const { project } = bodyIn(event);
  if (isProject(project)) return project;
  throw failure('noProject');
};

/** A member's new role in a project, or null to remove the member. Throws a Failure. */
export const changeIn = (event: APIGatewayProxyEvent) => {
  const { project, email: text, role } = bodyIn(event);
  if (!isProject(project) || typeof text !== 'string' || !(isRole(role) || role === null))
    throw failure('noChange');
  const email = readEmail(text.trim());
  if (email === undefined) throw failure('notMailbox');
  return { project, email, role };
};
