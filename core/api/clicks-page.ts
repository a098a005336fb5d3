import { noValues, type SplitName, splitNames, splits } from '../figures/splits.ts';

const row = (name: SplitName): string => {
  const { field, says, ofLinks, storesAll, most, ownPrefix } = splits[name];
  const notes = [
    ...(ofLinks ? ['of one link alone'] : []),
    ...(storesAll ? [] : [`events leave out \`${noValues[field]}\``]),
    ...(most === undefined ? [] : [`an hour or a day names ${most}${ownPrefix ? ', and a link’s own' : ''}`]),
  ];
  return `| \`${name}\` | \`${field}\` | ${says} | ${notes.join('; ')} |`;
};

/** What a click says, as a page of the documentation. */
export const clicksPage = (): string => `# What a click says

Generated from core/figures/splits.ts by \`npm run generate\`. Beside its link, its time and whether it is unique, a click says this, and
nothing else of its visitor. \`GET /1.0/analytics\` groups by it (\`groupBy\`); its responses, [events](events.md) and the [export](export.md)
call it by the field. Of a visitor, [the table](access-patterns.md) keeps what the last click said.

| \`groupBy\` | field | holds | |
| --- | --- | --- | --- |
${splitNames.map(row).join('\n')}

Campaign and source are those of the address that \`link.json\` returns for the same short URL and query, wherever the visitor went.
\`tags\` groups a project's clicks by the tags that their links had: a click counts under each, and an hour or a day names 100. Clicks that 1.2
counted have no campaign, source or tag.
`;
