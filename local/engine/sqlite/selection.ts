import type { Expressions } from './expressions/expressions.ts';
import type { Input } from './input.ts';
import { invalid, wrongValue } from './rejected.ts';
import type { Index } from './table-definition.ts';

/** The attributes that a page returns. */
export interface Selection {
  readonly isCount: boolean;
  /** Whether attributes are fetched from the table, because the local index lacks them: one read per item. */
  readonly isFetched: boolean;
}

const selections = ['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'COUNT', 'SPECIFIC_ATTRIBUTES'];

/**
 * Throws for a selection that a call can't have:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html#DDB-Query-request-Select
 */
export function selectionOf(
  { Select }: Input,
  index: Index | undefined,
  expressions: Expressions,
): Selection {
  const { shown, filtered } = expressions;
  const isProjected = shown.length > 0;
  if (Select && !selections.includes(String(Select)))
    throw invalid('Select must be ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES, COUNT, or SPECIFIC_ATTRIBUTES');
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && !index)
    throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  if (Select === 'SPECIFIC_ATTRIBUTES' && !isProjected)
    throw invalid(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  if (typeof Select === 'string' && Select !== 'SPECIFIC_ATTRIBUTES' && isProjected)
    throw invalid(
      `Cannot specify the ProjectionExpression when choosing to get ${Select === 'COUNT' ? 'only the Count' : Select}`,
    );
  const missing = (names: readonly string[]) => names.filter((name) => index?.projected?.has(name) === false);
  const unfiltered = missing(filtered);
  // A scan's filter sees no such attributes.
  if (unfiltered.length > 0 && expressions.keyCondition)
    throw wrongValue(
      `Secondary index ${index?.name} does not project one or more filter attributes: [${[...new Set(unfiltered)].sort().join(', ')}]`,
    );
  const isAll = Select === 'ALL_ATTRIBUTES' && index?.projected !== undefined;
  const unshown = missing(shown);
  if (index && !index.isLocal && isAll)
    throw wrongValue(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  if (index && !index.isLocal && unshown.length > 0)
    throw wrongValue(`Global secondary index ${index.name} does not project [${unshown.join(', ')}]`);
  const isFetched = index?.isLocal === true && (isAll || unshown.length > 0);
  return { isCount: Select === 'COUNT', isFetched };
}
