/** A DynamoDB engine that runs as a separate process. */
export interface EngineProgram {
  /** A name that its process's command line contains. */
  readonly name: string;
  /** The command that runs it on this port of 127.0.0.1. */
  command(port: number, folder: string): readonly string[];
}
