import { render } from 'preact';

const base = document.body.dataset.base ?? '';
const root = document.getElementById('app');
const session = await fetch(`${base}/session`).then((answer) => answer.json());
if (root) render(<p>{session.email}</p>, root);
