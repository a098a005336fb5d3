import { OperatorError } from '../base/operator-error.ts';

/** The options of `start`, read. */
export interface StartOptions {
  readonly apiPort: number | undefined;
  readonly shortPort: number | undefined;
  readonly consolePort: number | undefined;
  readonly data: string;
  readonly memory: boolean | undefined;
  readonly demo: boolean | undefined;
  readonly watch: boolean | undefined;
  readonly signIn: boolean | undefined;
  readonly standby: boolean | undefined;
  readonly engine: 'sqlite' | 'dynamodb-local' | `http://${string}` | undefined;
  readonly context: readonly (readonly [string, string])[];
}

interface Output {
  readonly print: (text: string) => void;
  readonly progress: (text: string) => void;
}

/** What commands run that need the service's repository. */
export interface Repository {
  /** Runs the service on this machine until it is interrupted. */
  readonly start: (options: StartOptions, output: Output) => Promise<void>;
  /** Runs `cdk deploy`; resolves to whether it succeeded. */
  readonly deploy: (args: readonly string[], progress: Output['progress']) => Promise<boolean>;
}

/** The repository that a command needs. Throws OperatorError outside of one. */
export const repositoryFor = (command: string, repository: Repository | undefined): Repository => {
  if (repository) return repository;
  throw new OperatorError(
    `'${command}' needs the repository of dynamic-link-service: clone it, run 'npm ci' and use 'npx dls ${command}' there`,
  );
};
