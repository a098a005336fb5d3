import { type ComponentChild, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { App } from './app.tsx';
import { setClient } from './calls/client.ts';
import { openMembersClient, sessionExpired, signedOut } from './calls/members-client.ts';

const base = document.body.dataset.base ?? '';

/** The console, or after signing out a link to sign in again. */
const MemberApp = () => {
  const [isOut, setOut] = useState(false);
  const over = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const leave = () => setOut(true);
    const ask = () => over.current?.open || over.current?.showModal();
    addEventListener(signedOut, leave);
    addEventListener(sessionExpired, ask);
    return () => {
      removeEventListener(signedOut, leave);
      removeEventListener(sessionExpired, ask);
    };
  }, []);
  if (isOut) return <SignedOut />;
  return (
    <>
      <App />
      <dialog ref={over} aria-labelledby="over">
        <form method="dialog">
          <h2 id="over">Your session has ended</h2>
          <p>What you typed is still here. Sign in in a new tab, come back, and try again.</p>
          <p class="buttons">
            <button type="submit">Close</button>
            <a class="button primary" href={`${base}/sign-in`} target="_blank" rel="noreferrer">
              Sign in
            </a>
          </p>
        </form>
      </dialog>
    </>
  );
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
const SignedOut = () => {
  const to = encodeURIComponent(location.pathname.slice(base.length + 1) + location.search);
  return <Outside title="You are signed out" action="Sign in" to={`${base}/sign-in?again&to=${to}`} />;
};

const root = document.getElementById('app');
const show = (page: ComponentChild) => root && render(page, root);
openMembersClient(base).then(
  (client) => {
    if (client) setClient(client);
    show(client ? <MemberApp /> : <SignedOut />);
  },
  ({ message }: Error) => show(<Outside title={message} action="Try again" to={location.href} />),
);
