import { configOf } from '../lib/config.ts';
import { isSettingName, kinds } from '../lib/settings.ts';
import { read, table } from './page-parts.ts';

interface Described {
  readonly group: string;
  readonly name: string;
  readonly meaning: string;
  readonly otherwise: string | undefined;
}

/** Each setting with its comment in lib/settings.ts, and the heading above it. */
export const describedSettings = (): readonly Described[] => {
  const source = read('lib/settings.ts');
  const [list = ''] = /(?<=^export const kinds = \{\n).*?(?=^\};)/ms.exec(source) ?? [];
  return list.split(/^ {2}\/\* (?=\w)/m).flatMap((part) => {
    const [group = ''] = part.split(' */', 1);
    return [...part.matchAll(/^ {2}\/\*\*(.*?)\*\/\n {2}(\w+): /gms)].map(([, comment = '', name = '']) => {
      const text = comment.replaceAll(/\s*\n? {3}\* |\s+/g, ' ').trim();
      const [meaning = '', otherwise] = text.split(' @default ');
      return { group, name, meaning, otherwise };
    });
  });
};

/** The page with every setting: meaning, values and default. */
export const settingsPage = (): string => {
  const defaults: Readonly<Record<string, unknown>> = { ...configOf({}) };
  const row = ({ name, meaning, otherwise }: Described) => {
    const usual = otherwise ?? (defaults[name] === undefined ? 'none' : `\`${defaults[name]}\``);
    const kind = isSettingName(name) ? (kinds[name].description ?? '') : '';
    return [`\`${name}\``, meaning, kind, usual];
  };
  const groups = Map.groupBy(describedSettings(), ({ group }) => group);
  const parts = [...groups].map(
    ([group, all]) => `## ${group}\n\n${table(['setting', 'meaning', 'value', 'default'], all.map(row))}\n`,
  );
  return `# Settings

Every setting of a deployment, with its values and its default. [Deploy](deploy.md#configuration) shows where to put settings, and which to begin with.
In an app of your own, they are [typed properties](own-app.md). An invalid value or an unknown setting stops the command.

\`allowDrop=true\` is only for \`npx dls deploy\`, with \`-c\`: it lets the command remove what it would otherwise stop for.

${parts.join('\n')}
\`npm run generate\` writes this page from \`lib/settings.ts\`.
`;
};
