import type { Output } from '../client.ts';
import { command } from '../command-line.ts';
import { address, moment } from '../format.ts';
import { Command } from '../parts/command.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Hint } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { A, hrefOf } from '../router.tsx';
import { useCall } from '../use-call.ts';
import { FiguresPanel } from './figures.tsx';
import { LinkActions } from './link-actions.tsx';
import { Routes } from './routes.tsx';
import { SocialCard } from './social-card.tsx';

type Found = Output<'link'>;

interface LinkViewProps {
  readonly project: string;
  readonly code: string;
  readonly query: URLSearchParams;
}

export const LinkView = ({ project, code, query }: LinkViewProps) => {
  const found = useCall('link', { project, code }, `${project} ${code}`);
  const link = found.data?.link;
  return (
    <Page
      title={code}
      heading={
        <>
          {code} {link && <Status status={link.status} blocked={link.blocked} />}
        </>
      }
      actions={link && <LinkActions project={project} link={link} reload={found.reload} />}
    >
      <Loaded from={found} what="Reading the link">
        {(data) => <Overview data={data} />}
      </Loaded>
      {link && (
        <>
          <FiguresPanel project={project} code={code} query={query} />
          {found.data && <Details data={found.data} />}
        </>
      )}
    </Page>
  );
};

const states: Readonly<Record<string, string>> = {
  PAUSED: 'This link is paused: visitors get the “not found” page. Activate it to let it lead on.',
  EXPIRED: 'This link has expired: visitors get the “not found” page, for good.',
  BLOCKED: 'This link is blocked: visitors get the “not found” page, and its owner can only delete it.',
};

const Overview = ({ data: { link } }: { data: Found }) => {
  const state = states[link.blocked ? 'BLOCKED' : link.status];
  return (
    <div class="stack">
      <div class="address-line">
        <a href={link.shortUrl} rel="noreferrer" target="_blank">
          {address(link.shortUrl)}
        </a>
        <CopyButton text={link.shortUrl} what="the short URL" />
      </div>
      <p class="soft lead">
        {link.name && <>{link.name} · </>}leads to {link.originalUrl}
      </p>
      {state && <Hint>{state}</Hint>}
    </div>
  );
};

const Details = ({ data: { link, routes, warnings, qr } }: { data: Found }) => (
  <>
    <section class="card stack">
      <h2>Where it leads</h2>
      <Routes routes={routes} shortUrl={link.shortUrl} />
      {warnings.length > 0 && (
        <div class="notice warn stack">
          <h3>Worth a look</h3>
          <ul class="bullets">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      <p>
        <a href={`${link.shortUrl}?d=1`} target="_blank" rel="noreferrer">
          Open the routing page
        </a>{' '}
        <span class="soft">which visitors can see, too. It counts no click.</span>
      </p>
    </section>
    <div class="two">
      <section class="card stack">
        <h2>Social card</h2>
        <SocialCard social={link.payload.social} host={new URL(link.shortUrl).host} />
      </section>
      <section class="card stack">
        <h2>QR code</h2>
        {/* The server draws it; it holds nothing but squares. */}
        <div
          class="qr"
          role="img"
          aria-label={`QR code of ${link.shortUrl}`}
          dangerouslySetInnerHTML={{ __html: qr }}
        />
        <p class="buttons start">
          <a class="button small" href={`${link.shortUrl}/qr.png?size=1024`} target="_blank" rel="noreferrer">
            PNG
          </a>
          <a class="button small" href={`${link.shortUrl}/qr.svg`} target="_blank" rel="noreferrer">
            SVG
          </a>
        </p>
      </section>
    </div>
    <section class="card stack">
      <h2>Settings</h2>
      <dl class="facts">
        <Fact name="Created" value={`${moment(link.createdAt)} by ${link.createdBy}`} />
        <Fact name="Updated" value={moment(link.updatedAt)} />
        <Fact name="Expires" value={link.expiresAt ? moment(link.expiresAt) : 'Never'} />
        {settingsOf(link.payload).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </section>
    <Command
      line={command('link show', [link.code], { project: link.projectId })}
      api={`GET /1.0/links/${link.code}`}
    />
    <p>
      <A href={hrefOf(['p', link.projectId])}>All links of {link.projectId}</A>
    </p>
  </>
);

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** Every setting of a payload by its path, as the API names it. */
const settingsOf = (payload: object, path = ''): [string, string][] =>
  Object.entries(payload).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? settingsOf(value, `${path}${name}.`)
      : [[path + name, String(value)]],
  );
