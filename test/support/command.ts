import { repository } from '../../dev/repository.ts';
import { runAdmin } from '../../ops/command-line/program.ts';

interface Surroundings {
  /** Standard input. */
  readonly input?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** A person's input at a terminal. */
  readonly answer?: string;
}

/** Runs a command in this process: what it prints, notes on standard error, redraws and asks, its result and its error. */
export const runCommand = async (
  words: readonly string[],
  { input = '', environment = {}, answer }: Surroundings = {},
) => {
  const [printed, noted, asked]: [string[], string[], string[]] = [[], [], []];
  const redrawn: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer ?? '';
  };
  const terminal = {
    print: (text: string) => void printed.push(text),
    write: async (text: string) => void printed.push(text),
    progress: (text: string) => void noted.push(text),
    input: async () => input,
    repository,
    ...(answer !== undefined && { ask, redraw: (text: string) => void redrawn.push(text) }),
  };
  const [ok, error] = await runAdmin(words, terminal, environment).then(
    (result) => [result, undefined] as const,
    (thrown: Error) => [false, thrown] as const,
  );
  return { printed: printed.join('\n'), noted, asked, redrawn, ok, error };
};

/** The output of a command that succeeds; throws its error. */
export const outputOf = async (words: readonly string[], surroundings?: Surroundings): Promise<string> => {
  const { printed, error } = await runCommand(words, surroundings);
  if (error) throw error;
  return printed;
};
