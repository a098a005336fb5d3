import { render } from 'preact';
import { App } from './app.tsx';
import { operatorsPort, takeKey } from './calls/operators-port.ts';
import { createClient } from './calls/port.ts';

takeKey();
createClient(operatorsPort);
const root = document.getElementById('app');
if (root) render(<App />, root);
