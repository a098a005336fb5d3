import './node-version.js';

export * from '../dist/testing.js';
