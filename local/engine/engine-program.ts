interface Address {
  readonly host: string;
  readonly port: number;
}

/** What differs from one engine to the other. */
export interface EngineProgram {
  /** Found in the command line of its process. */
  readonly name: string;
  command(at: Address, folder: string): readonly string[];
  /** Whether it can listen on any address of this machine. */
  readonly takesHost: boolean;
  /** Runs once the engine responds and before anybody else calls it. */
  tend(folder: string): void;
  /** Its database, if `openEngineFile` can read it. */
  file?(folder: string): string;
  /** What it says of its version, if that tells how its database has to be written. */
  version?(): Promise<string | undefined>;
}
