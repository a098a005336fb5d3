import { dimensionTexts } from '../core/analytics/dimension-texts.ts';
import { type DimensionName, dimensionNames, dimensions, noValues } from '../core/analytics/dimensions.ts';
import { table } from './page-parts.ts';

const row = (name: DimensionName): readonly string[] => {
  const { field, ofLinks, most, ownPrefix } = dimensions[name];
  const notes = [
    ...(ofLinks ? ['for one link only'] : []),
    ...(field === 'rule' ? [`events leave out \`${noValues.rule}\``] : []),
    ...(most === undefined
      ? []
      : [`up to ${most} values per hour or day${ownPrefix ? ', in addition to the link’s own' : ''}`]),
  ];
  return [`\`${name}\``, `\`${field}\``, dimensionTexts[name].says, notes.join('; ')];
};

/** The dimensions of clicks, as a table. */
export const dimensionTable = (): string =>
  table(['`groupBy`', 'field', 'value', 'notes'], dimensionNames.map(row));
