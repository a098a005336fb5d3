import type { LinkPayload } from '../../core/links/payload-fields.ts';
import type { AllStores } from '../../core/stores.ts';
import { aLinkDraft, aProject, unique } from './builders.ts';

/** Publishes links, each in a project of its own. */
export const publisher =
  (stores: Pick<AllStores, 'projects' | 'links'>) =>
  async (payload: Partial<LinkPayload> = {}, fields: object = {}) => {
    const project = aProject();
    await stores.projects.create(project);
    const draft = aLinkDraft({
      project: project.id,
      payload: { link: 'https://example.com/landing', ...payload },
      ...fields,
    });
    const link = await stores.links.create(draft, { project, generateCode: () => unique('code') });
    return { ...link, path: `/${project.id}/${link.code}` };
  };
