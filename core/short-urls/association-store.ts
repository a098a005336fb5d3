import { associationKey, projectKey } from '../table/keys.ts';
import { type Item, met, type Table } from '../table/table.ts';
import type { Association } from './association.ts';

const fromItem = ({ project, ios, android }: Item) => ({ project, ios, android }) as Association;

/** Which apps may open a project's short URLs, as operators state it. */
export const associationStore = (table: Table) => ({
  async find(project: string): Promise<Association | undefined> {
    const item = await table.get(associationKey(project));
    return item && fromItem(item);
  },

  /** Takes the place of what was stated before. False if there is no such project. */
  set: (association: Association): Promise<boolean> =>
    met(
      table.transact([
        {
          ConditionCheck: {
            Key: projectKey(association.project),
            ConditionExpression: 'attribute_exists(PK)',
          },
        },
        { Put: { Item: { ...associationKey(association.project), ...association } } },
      ]),
    ),

  /** False if there was nothing to remove. */
  remove: (project: string): Promise<boolean> =>
    met(
      table.transact([
        { Delete: { Key: associationKey(project), ConditionExpression: 'attribute_exists(PK)' } },
      ]),
    ),
});
