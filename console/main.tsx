import { render } from 'preact';
import { App } from './app.tsx';
import { setClient } from './calls/client.ts';
import { operatorsClient, takeKey } from './calls/operators-client.ts';

takeKey();
setClient(operatorsClient);
const root = document.getElementById('app');
if (root) render(<App />, root);
