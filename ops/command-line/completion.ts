import { type Command, flagOf } from './command.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A shell's completion script for `dls`, from the commands' definitions. */
export const completionFor = (shell: Shell, commands: readonly Command[]): string =>
  shell === 'fish' ? fish(commands) : bash(shell, commands);

/** All options of a command, as typed. */
export const optionsOf = ({ options, place, isPassedOn }: Command): string[] => [
  ...Object.keys(options).map(flagOf),
  ...place.map((name) => `--${name}`),
  ...(isPassedOn ? [] : ['--json']),
  '--help',
];

/** The options of a command that take a value, each with its choices; empty for a free value. */
const valuesOf = ({ options, place }: Command): (readonly [string, readonly string[]])[] => [
  ...Object.entries(options).flatMap(([option, { placeholder, choices = [] }]) =>
    placeholder === undefined ? [] : [[flagOf(option), choices] as const],
  ),
  ...place.map((name) => [`--${name}`, []] as const),
];

/** The words that may follow in a command. */
const choicesOf = (command: Command): (readonly [string, readonly string[]])[] => [
  ...valuesOf(command),
  ...Object.values(command.arguments).flatMap(({ choices }) =>
    choices ? [[command.name.split(' ').at(-1) ?? '', choices] as const] : [],
  ),
];

const nouns = (commands: readonly Command[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];

/** Words to complete in addition to the nouns. */
const others = ['help', '--version'];

const verbsOf = (commands: readonly Command[]): (readonly [string, string[]])[] =>
  [
    ...Map.groupBy(
      commands.filter(({ name }) => name.includes(' ')),
      ({ name }) => name.split(' ')[0] ?? '',
    ),
  ].map(([noun, all]) => [noun, all.map(({ name }) => name.split(' ')[1] ?? '')] as const);

const bash = (shell: 'bash' | 'zsh', commands: readonly Command[]): string => {
  const ofVerbs = verbsOf(commands).map(([noun, verbs]) => `    '${noun}') words='${verbs.join(' ')}' ;;`);
  const ofOptions = commands.flatMap((command) => [
    ...choicesOf(command).map(
      ([before, choices]) => `    '${command.name}|${before}') words='${choices.join(' ')}' ;;`,
    ),
    `    '${command.name}|'*) words='${optionsOf(command).join(' ')}' ;;`,
  ]);
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_dls() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  local first=1
  if [ "\${COMP_WORDS[1]}" = help ] && [ "$COMP_CWORD" -gt 1 ]; then first=2; fi
  local noun="\${COMP_WORDS[first]}" name="\${COMP_WORDS[first]}"
  case "$noun" in
${verbsOf(commands)
  .map(([noun]) => `    '${noun}') name="$noun \${COMP_WORDS[first+1]}" ;;`)
  .join('\n')}
  esac
  if [ "$COMP_CWORD" = 1 ]; then words='${[...nouns(commands), ...others].join(' ')}'
  elif [ "$COMP_CWORD" = "$first" ]; then words='${nouns(commands).join(' ')}'
  elif [ "$COMP_CWORD" = "$((first+1))" ] && [ "$name" != "$noun" ]; then case "$noun" in
${ofVerbs.join('\n')}
  esac
  elif [ "$first" = 1 ]; then case "$name|$before" in
${ofOptions.join('\n')}
  esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _dls dls`;
};

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const fish = (commands: readonly Command[]): string => {
  const all = nouns(commands);
  const top = [...all, ...others].map(
    (noun) => `complete -c dls -f -n __fish_use_subcommand -a ${quoted(noun)}`,
  );
  const isHelp = `__fish_seen_subcommand_from help; and not __fish_seen_subcommand_from ${all.join(' ')}`;
  const ofHelp = `complete -c dls -f -n ${quoted(isHelp)} -a ${quoted(all.join(' '))}`;
  const lines = commands.flatMap((command) => {
    const [noun = '', verb] = command.name.split(' ');
    // `link export` has no noun `export`.
    const verbOf = verbsOf(commands).flatMap(([one, verbs]) => (verbs.includes(noun) ? [one] : []));
    const isOf = `__fish_seen_subcommand_from ${noun}${verbOf.length > 0 ? `; and not __fish_seen_subcommand_from ${verbOf.join(' ')}` : ''}`;
    const isHere = `${isOf}${verb ? `; and __fish_seen_subcommand_from ${verb}` : ''}`;
    const others = verbsOf(commands).find(([one]) => one === noun)?.[1];
    const isNoun = `${isOf}; and not __fish_seen_subcommand_from ${others?.join(' ')}`;
    const taken = new Map(valuesOf(command));
    // The option's value follows: one of its choices, or a file.
    const valued = (option: string) => {
      const choices = taken.get(option);
      if (choices === undefined) return '';
      return choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -r';
    };
    return [
      ...(verb
        ? [`complete -c dls -f -n ${quoted(isNoun)} -a ${quoted(verb)} -d ${quoted(command.summary)}`]
        : []),
      ...optionsOf(command).map(
        (option) => `complete -c dls${valued(option)} -n ${quoted(isHere)} -l ${option.slice(2)}`,
      ),
    ];
  });
  return [...top, ofHelp, ...lines].join('\n');
};
