import type { Platform } from '../../core/base/platform.ts';
import type { LinkPayload } from '../../core/links/payload-fields.ts';
import { linkWarnings } from '../../core/pages/link-warnings.ts';
import type { Apps } from '../../core/short-urls/app-settings.ts';
import { type RoutedLink, savedAppId } from '../../core/short-urls/routing.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { LinkView } from './links.ts';

/** The saved apps that a payload names. */
export const savedAppsIn = async (deployment: Deployment, projectId: string, payload: LinkPayload) => {
  const find = async (platform: Platform) => {
    const id = savedAppId({ status: 'ACTIVE', payload }, platform);
    return id === undefined ? undefined : deployment.stores.apps.find(projectId, id);
  };
  const [ios, android] = await Promise.all([find('ios'), find('android')]);
  return { ios: found(ios), android: found(android) };
};

/** Messages about likely mistakes in a link. */
export const warningsOf = async (
  deployment: Deployment,
  { projectId, payload }: Pick<LinkView, 'projectId' | 'payload'>,
): Promise<string[]> => {
  const [apps, association] = await Promise.all([
    savedAppsIn(deployment, projectId, payload),
    deployment.stores.associations.find(projectId),
  ]);
  return linkWarnings(live({ payload }), apps, association);
};

/** A link as if it were live, to show where one that isn't would lead. */
export const live = ({ payload }: Pick<RoutedLink, 'payload'>): RoutedLink => ({ status: 'ACTIVE', payload });

/** The settings of an app that a link can use; null is not set. */
const found = (app: object | undefined): Apps['ios'] & Apps['android'] =>
  app && Object.fromEntries(Object.entries(app).filter(([, value]) => value !== null));
