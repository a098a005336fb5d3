import { render } from 'preact';
import { App } from './app.tsx';
import { takeKey } from './client.ts';

takeKey();
const root = document.getElementById('app');
if (root) render(<App />, root);
