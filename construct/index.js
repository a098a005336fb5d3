const { version } = require('aws-cdk-lib/package.json');

const needed = [2, 276, 0];
const found = version.split(/[.-]/, 3).map(Number);
const first = needed.findIndex((part, i) => part !== found[i]);
if (first >= 0 && found[first] < needed[first])
  throw new Error(
    `dynamic-link-cdk needs aws-cdk-lib ${needed.join('.')} or newer, and this app has ${version}.`,
  );

module.exports = require('./dist/lib/index.js');
