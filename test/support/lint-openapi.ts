import { createConfig, lint } from '@redocly/openapi-core';

/** Prints the problems that Redocly's recommended rules find in a description, as JSON. */
const [file = ''] = process.argv.slice(2);
const config = await createConfig({ extends: ['recommended'] });
const problems = await lint({ ref: file, config });
console.log(JSON.stringify(problems.map(({ severity, ruleId, message }) => ({ severity, ruleId, message }))));
