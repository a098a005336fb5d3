import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { App } from './app.tsx';
import { membersPort, signedOut } from './members-port.ts';
import { openPort } from './port.ts';

const base = document.body.dataset.base ?? '';

/** The console, or after its session has ended the way to a new one. */
const MemberApp = () => {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const end = () => setOver(true);
    addEventListener(signedOut, end);
    return () => removeEventListener(signedOut, end);
  }, []);
  return isOver ? <SignedOut /> : <App />;
};

const SignedOut = () => (
  <main id="main" class="alone">
    <h1>You are signed out</h1>
    <p>
      <a class="button primary" href={`${base}/sign-in?again`}>
        Sign in
      </a>
    </p>
  </main>
);

const root = document.getElementById('app');
const port = await membersPort(base);
if (port) openPort(port);
if (root) render(port ? <MemberApp /> : <SignedOut />, root);
