import './node-version.js';

export * from '../dist/stack.js';
