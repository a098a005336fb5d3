import { render } from 'preact';
import { App } from './app.tsx';
import { operatorsPort, takeKey } from './operators-port.ts';
import { openPort } from './port.ts';

takeKey();
openPort(operatorsPort);
const root = document.getElementById('app');
if (root) render(<App />, root);
