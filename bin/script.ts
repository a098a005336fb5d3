/**
 * Parses the arguments of a script that takes none: prints help and exits on request, and exits with an error on
 * anything else, so that a misspelt option doesn't run the script.
 */
export const takeNothing = (name: string, summary: string): void => {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  if (first === '--help' || first === '-h') {
    console.log(`Usage: npm run ${name}\n\n${summary}`);
    process.exit(0);
  }
  console.error(`npm run ${name} doesn't take '${first}': see npm run ${name} -- --help`);
  process.exit(1);
};
