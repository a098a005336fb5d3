import { quoted, shellOption } from '../ops/base/shell-words.ts';

/** A command of `dls`, without the flags of its target. */
export interface CommandLine {
  /** Such as `link show`. */
  readonly verb: string;
  readonly operands: readonly string[];
  readonly options: Options;
}

/** By their names; left out where there is nothing, `true` for those without a value. */
type Options = Readonly<Record<string, string | boolean | undefined>>;

export const commandFor = (
  verb: string,
  operands: readonly string[] = [],
  options: Options = {},
): CommandLine => ({ verb, operands, options });

/** A command as a shell takes it. `flags` name its target, quoted already. */
export const shellLine = ({ verb, operands, options }: CommandLine, flags: string): string => {
  const given = Object.entries(options).flatMap(([name, value]) => (value ? [shellOption(name, value)] : []));
  const names = operands.map(quoted);
  // Such as the code -fo3, which would be taken for an option.
  const isBehind = operands.some((operand) => operand.startsWith('-'));
  const words = isBehind ? [...given, flags, '--', ...names] : [...names, ...given, flags];
  return ['npx dls', verb, ...words].filter((word) => word !== '').join(' ');
};
