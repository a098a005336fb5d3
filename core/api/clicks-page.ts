import { type DimensionName, dimensionNames, dimensions, noValues } from '../analytics/dimensions.ts';

const row = (name: DimensionName): string => {
  const { field, says, ofLinks, most, ownPrefix } = dimensions[name];
  const notes = [
    ...(ofLinks ? ['for one link only'] : []),
    ...(field === 'rule' ? [`events leave out \`${noValues.rule}\``] : []),
    ...(most === undefined ? [] : [`an hour or a day names ${most}${ownPrefix ? ', and a link’s own' : ''}`]),
  ];
  return `| \`${name}\` | \`${field}\` | ${says} | ${notes.join('; ')} |`;
};

export const clicksPage = (): string => `# Click fields

Generated from core/analytics/dimensions.ts by \`npm run generate\`. A click has its link, its time, whether it is unique, and
these fields; nothing else about its visitor. \`GET /1.0/analytics\` takes the names under \`groupBy\`; its responses, [events](events.md) and the
[export](export.md) use those under **field**. [The table](access-patterns.md) keeps each visitor's most recent click fields.

| \`groupBy\` | field | value | |
| --- | --- | --- | --- |
${dimensionNames.map(row).join('\n')}

Campaign and source come from the address that \`link.json\` returns for the same short URL and query, wherever the visitor went.
\`tags\` groups a project's clicks by the tags that their links had: a click counts under each tag, and an hour or a day names 100 tags. Clicks
counted by 1.2 have no campaign, source or tag.
`;
