import { render } from 'preact';
import { App } from './app.tsx';
import { operatorsPort, takeKey } from './calls/operators-port.ts';
import { openPort } from './calls/port.ts';

takeKey();
openPort(operatorsPort);
const root = document.getElementById('app');
if (root) render(<App />, root);
