/** A DynamoDB engine that runs as a process of its own. */
export interface EngineProgram {
  /** Found in the command line of its process. */
  readonly name: string;
  /** Runs it at this port of 127.0.0.1. */
  command(port: number, folder: string): readonly string[];
}
