import { shownAddress } from '../../../core/base/shown-text.ts';
import type { Output } from '../../client.ts';
import { command } from '../../command-line.ts';
import { address, moment } from '../../format.ts';
import { Command } from '../../parts/command.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Hint, Warnings } from '../../parts/notice.tsx';
import { BlockedHosts } from '../../parts/outside.tsx';
import { Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Tags } from '../../parts/tags.tsx';
import { port } from '../../port.ts';
import { A, hrefOf } from '../../router.tsx';
import { useCall } from '../../use-call.ts';
import { FiguresPanel } from '../figures/figures.tsx';
import { RuleList } from '../rules/rule-list.tsx';
import { Routes } from '../visits/routes.tsx';
import { SocialCard } from '../visits/social-card.tsx';
import { WhoGoes } from '../visits/who-goes.tsx';
import { LinkActions } from './link-actions.tsx';
import { QrCode } from './qr-code.tsx';

type Found = Output<'link'>;

interface LinkViewProps {
  readonly project: string;
  readonly code: string;
  readonly query: URLSearchParams;
}

export const LinkView = ({ project, code, query }: LinkViewProps) => {
  const found = useCall('link', { project, code }, `${project} ${code}`);
  const { data } = found;
  return (
    <Page
      title={code}
      heading={
        <>
          {code} {data && <Status status={data.state ?? data.link.status} />}{' '}
          {data && data.blockedHosts.length > 0 && <span class="badge blocked">Blocked destination</span>}
        </>
      }
      actions={data && <LinkActions project={project} link={data.link} reload={found.reload} />}
    >
      <Loaded from={found} what="Reading the link">
        {(shown) => <Overview data={shown} />}
      </Loaded>
      {data && (
        <>
          <FiguresPanel project={project} code={code} query={query} />
          <BlockedHosts.Provider value={data.blockedHosts}>
            <Details data={data} />
          </BlockedHosts.Provider>
        </>
      )}
    </Page>
  );
};

const Overview = ({ data: { link, reasons } }: { data: Found }) => (
  <div class="stack">
    <div class="address-line">
      <a href={link.shortUrl} rel="noreferrer" target="_blank">
        {address(link.shortUrl)}
      </a>
      <span class="buttons start">
        <CopyButton text={link.shortUrl} what="the short URL" />
        <a href="#qr-code" class="button quiet small">
          QR code
        </a>
        <a href="#ways" class="button quiet small">
          Where it leads
        </a>
      </span>
    </div>
    <p class="soft lead clamp">
      {link.name && <>{link.name} · </>}leads to {shownAddress(link.originalUrl)}
    </p>
    <Tags tags={link.tags ?? []} href={(tag) => hrefOf(['p', link.projectId], { tags: tag })} />
    {reasons.map((reason) => (
      <div key={reason} class="notice warn">
        {reason}
      </div>
    ))}
  </div>
);

const Details = ({ data }: { data: Found }) => {
  const { link, state } = data;
  return (
    <>
      <div class="qr-and-ways">
        <section class="card stack" id="qr-code">
          <h2>QR code</h2>
          {state && <Hint>Who scans it now gets the 404 page.</Hint>}
          <QrCode shortUrl={link.shortUrl} code={link.code} />
        </section>
        <Ways data={data} />
      </div>
      <section class="card stack">
        <h2>Social card</h2>
        <SocialCard social={link.payload.social} host={new URL(link.shortUrl).host} />
      </section>
      <Settings link={link} />
      <Command
        line={command('link show', [link.code], { project: link.projectId })}
        api={`GET /1.0/links/${link.code}`}
      />
      <p>
        <A href={hrefOf(['p', link.projectId])}>All links of {link.projectId}</A>
      </p>
    </>
  );
};

/** Who goes where. */
const Ways = ({ data: { link, routes, warnings, state } }: { data: Found }) => {
  const leads = state ? 'Where it would lead' : 'Where it leads';
  return (
    <div class="stack" id="ways">
      {link.payload.rules && (
        <section class="card stack">
          <h2>Rules</h2>
          <p class="soft">The first rule that holds decides where a visitor goes.</p>
          <RuleList rules={link.payload.rules} />
          {port().offers('whoGoes') && (
            <>
              <h3>Who goes where</h3>
              <WhoGoes project={link.projectId} code={link.code} payload={link.payload} />
            </>
          )}
        </section>
      )}
      <section class="card stack">
        <h2>{link.payload.rules ? `${leads} if no rule holds` : leads}</h2>
        {routes.length > 0 && <Routes routes={routes} shortUrl={link.shortUrl} />}
        <Warnings texts={warnings} />
        <p>
          {state ? (
            <span class="soft">The routing page answers 404, too.</span>
          ) : (
            <>
              <a href={`${link.shortUrl}?d=1`} target="_blank" rel="noreferrer">
                Open the routing page
              </a>{' '}
              <span class="soft">which visitors can see, too. It counts no click.</span>
            </>
          )}
        </p>
      </section>
    </div>
  );
};

const Settings = ({ link }: { link: Found['link'] }) => (
  <section class="card stack">
    <h2>Settings</h2>
    <dl class="facts">
      <Fact name="Created" value={`${moment(link.createdAt)} by ${link.createdBy}`} />
      <Fact
        name="Updated"
        value={`${moment(link.updatedAt)}${link.updatedBy ? ` by ${link.updatedBy}` : ''}`}
      />
      <Fact name="Expires" value={link.expiresAt ? moment(link.expiresAt) : 'Never'} />
      {link.blockedAt && <Fact name="Blocked" value={moment(link.blockedAt)} />}
      {link.blockedReason && <Fact name="Reason" value={link.blockedReason} />}
      {settingsOf({ ...link.payload, rules: undefined }).map(([name, value]) => (
        <Fact key={name} name={name} value={shownAddress(value)} />
      ))}
    </dl>
  </section>
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
      : value === undefined
        ? []
        : [[path + name, String(value)]],
  );
