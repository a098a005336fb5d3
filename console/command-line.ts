import { quoted, shellOption } from '../core/base/shell-words.ts';

/** A `dls` command, without its deployment's flags. */
export interface CommandLine {
  /** Such as `link show`. */
  readonly verb: string;
  readonly operands: readonly string[];
  readonly options: Options;
}

/** Values by option name: undefined to omit it, `true` for a flag. */
type Options = Readonly<Record<string, string | boolean | undefined>>;

export const commandFor = (
  verb: string,
  operands: readonly string[] = [],
  options: Options = {},
): CommandLine => ({ verb, operands, options });

/** A command for a shell. `flags` name its deployment and are already quoted. */
export const shellLine = ({ verb, operands, options }: CommandLine, flags: string): string => {
  const given = Object.entries(options).flatMap(([name, value]) => (value ? [shellOption(name, value)] : []));
  const names = operands.map(quoted);
  // A code such as -fo3 would be parsed as an option.
  const isBehind = operands.some((operand) => operand.startsWith('-'));
  const words = isBehind ? [...given, flags, '--', ...names] : [...names, ...given, flags];
  return ['npx dls', verb, ...words].filter((word) => word !== '').join(' ');
};
