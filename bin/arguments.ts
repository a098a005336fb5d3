/**
 * Parses the arguments of a script that takes none: prints help and exits on request, and exits with an error on
 * anything else, so that a misspelt option doesn't run the script.
 */
export const refuseArguments = (name: string, summary: string): void => {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  if (first === '--help' || first === '-h') {
    console.log(`Usage: npm run ${name}\n\n${summary}`);
    process.exit(0);
  }
  console.error(`npm run ${name} doesn't take '${first}': see npm run ${name} -- --help`);
  process.exit(1);
};

/** The names among a script's arguments, or all of them without any; prints the usage and exits if another is given. */
export const chosenNames = (all: readonly string[], usage: string): readonly string[] => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !all.includes(name));
  if (unknown === undefined) return chosen.length > 0 ? chosen : all;
  console.log(usage);
  process.exit(unknown === '--help' ? 0 : 1);
};
