const vm = require('node:vm');
const { TestEnvironment } = require(
  require.resolve('jest-environment-node', { paths: [require.resolve('jest')] }),
);

/**
 * Jest's own environment for Node, in a context with an ordinary global object. Jest gives it a proxy, which every use
 * of a global such as `Array` or `JSON` would go through.
 */
module.exports = class FastEnvironment extends TestEnvironment {
  constructor(...given) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
  }
};
