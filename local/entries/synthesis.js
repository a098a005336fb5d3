import './node-version.js';

export * from '../dist/synthesis.js';
