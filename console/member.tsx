import { type ComponentChild, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { App } from './app.tsx';
import { membersPort, signedOut } from './calls/members-port.ts';
import { openPort } from './calls/port.ts';

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

const Outside = ({ title, action, to }: { title: string; action: string; to: string }) => (
  <main id="main" class="alone">
    <h1>{title}</h1>
    <p>
      <a class="button primary" href={to}>
        {action}
      </a>
    </p>
  </main>
);
const SignedOut = () => <Outside title="You are signed out" action="Sign in" to={`${base}/sign-in?again`} />;

const root = document.getElementById('app');
const show = (page: ComponentChild) => root && render(page, root);
membersPort(base).then(
  (port) => {
    if (port) openPort(port);
    show(port ? <MemberApp /> : <SignedOut />);
  },
  ({ message }: Error) => show(<Outside title={message} action="Try again" to={location.href} />),
);
