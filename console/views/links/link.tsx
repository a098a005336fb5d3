import { shownAddress } from '../../../core/base/shown-text.ts';
import { type CallOutput, client } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { CopyButton, ShareButton } from '../../components/copy.tsx';
import { BlockedHosts } from '../../components/external-url.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Hint, Warnings } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { RecentClicks } from '../../components/recent-clicks.tsx';
import { Status } from '../../components/status.tsx';
import { TagLinks } from '../../components/tags.tsx';
import { address, inOwnTime, number } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';
import { AnalyticsPanel } from '../analytics/analytics.tsx';
import { Routes } from '../visits/routes.tsx';
import { SocialCard } from '../visits/social-card.tsx';
import { useRouted } from '../visits/use-draft.ts';
import { VisitorPreview } from '../visits/visitor-preview.tsx';
import { History } from './history.tsx';
import { LinkActions } from './link-actions.tsx';
import { LinkSettingsForm } from './link-settings.tsx';
import { QrCode } from './qr-code.tsx';
import { ShareLike } from './share-like.tsx';

type Found = CallOutput<'reach'>;

interface LinkViewProps {
  readonly project: string;
  readonly code: string;
  readonly query: URLSearchParams;
}

/** With tabs, the page is 1,290 pixels high instead of 2,890. */
const tabs = [
  ['overview', 'Overview', 'route'],
  ['analytics', 'Analytics', 'chart'],
  ['details', 'Details', 'settings'],
] as const;

/** The tab for an address. Parameters of analytics also open theirs. */
const tabOf = (query: URLSearchParams) => {
  // Earlier versions called the last one settings.
  const asked = query.get('tab')?.replace('settings', 'details');
  const named = tabs.find(([tab]) => tab === asked)?.[0];
  return named ?? (query.size > 0 && !query.has('as') ? 'analytics' : 'overview');
};

export const LinkView = ({ project, code, query }: LinkViewProps) => {
  const found = useCall('reach', { project, code }, `${project} ${code}`);
  const { data } = found;
  const tab = tabOf(query);
  const title = data?.link.name || code;
  return (
    <Page
      title={title}
      heading={
        <>
          <span dir="auto">{title}</span> {data && <Status status={data.state ?? data.link.status} />}{' '}
          {data && data.blockedHosts.length > 0 && <span class="badge blocked">Blocked destination</span>}
        </>
      }
      actions={data && <LinkActions project={project} link={data.link} reload={found.reload} />}
    >
      <Loaded from={found} what="Reading the link">
        {(shown) => <Head data={shown} hasClicks={tab !== 'analytics'} />}
      </Loaded>
      {data && (
        <BlockedHosts.Provider value={data.blockedHosts}>
          <nav aria-label="Parts of the link">
            <ul class="tabs">
              {tabs.map(([name, label, icon]) => (
                <li key={name}>
                  <A
                    href={hrefOf(['p', project, 'links', code], name === 'overview' ? {} : { tab: name })}
                    current={name === tab}
                  >
                    <Icon name={icon} /> {label}
                  </A>
                </li>
              ))}
            </ul>
          </nav>
          {tab === 'overview' && <Overview data={data} query={query} />}
          {tab === 'analytics' && (
            <AnalyticsPanel {...{ project, code, title, query }} rules={data.link.payload.rules} />
          )}
          {tab === 'details' && <LinkSettingsForm link={data.link} />}
          {tab !== 'analytics' && (
            <>
              {FOR_OPERATORS && <ShareLike link={data.link} />}
              <History project={project} code={code} onChange={found.reload} />
              <CommandHint
                line={commandFor('link show', [code], { project })}
                api={`GET /1.0/links/${code}`}
              />
            </>
          )}
        </BlockedHosts.Provider>
      )}
    </Page>
  );
};

const Head = ({ data: { link, reasons }, hasClicks }: { data: Found; hasClicks: boolean }) => (
  <div class="stack">
    <div class="row">
      <div class="stack tight">
        <div class="address-line">
          <a href={link.shortUrl} rel="noreferrer" target="_blank">
            {address(link.shortUrl)}
          </a>
          <CopyButton text={link.shortUrl} what="the short URL" />
          <ShareButton url={link.shortUrl} what="the short URL" />
        </div>
        <p class="soft lead clamp">leads to {shownAddress(link.originalUrl)}</p>
        <TagLinks tags={link.tags ?? []} href={(tag) => hrefOf(['p', link.projectId], { tags: tag })} />
      </div>
      {hasClicks && (
        <A class="clicks" href={hrefOf(['p', link.projectId, 'links', link.code], { tab: 'analytics' })}>
          <b>{number(link.clickCount)}</b> {link.clickCount === 1 ? 'click' : 'clicks'}
          <RecentClicks project={link.projectId} code={link.code} hasWords />
        </A>
      )}
    </div>
    {reasons.map((reason) => (
      <div key={reason} class="notice warn">
        {inOwnTime(reason)}
      </div>
    ))}
  </div>
);

interface OverviewProps {
  readonly data: Found;
  readonly query: URLSearchParams;
}

const Overview = ({ data, query }: OverviewProps) => (
  <div class="ways-and-qr">
    <div class="stack">
      <Ways data={data} query={query} />
    </div>
    <div class="stack">
      <section class="card stack">
        <h2>QR code</h2>
        {data.state && <Hint>Anyone who scans it now sees the 404 page.</Hint>}
        <QrCode project={data.link.projectId} shortUrl={data.link.shortUrl} code={data.link.code} />
      </section>
      <section class="card stack">
        <h2>Social card</h2>
        <SocialCard social={data.link.payload.social} host={new URL(data.link.shortUrl).host} />
      </section>
    </div>
  </div>
);

const Ways = ({ data: { link, state }, query }: OverviewProps) => {
  const { data: signIn } = useCall('signInAddress', {});
  const leads = state ? 'Where it would lead' : 'Where it leads';
  const routed = useRouted({ project: link.projectId, code: link.code, payload: link.payload });
  if (!routed) return <p aria-busy="true">…</p>;
  // Colleagues reach the members' console; an operators' console is on one machine.
  const addressOf = (visitor: Readonly<Record<string, string>>) =>
    (signIn ?? location.origin) +
    hrefOf(['p', link.projectId, 'links', link.code], visitor).slice(client().base.length);
  return (
    <>
      <section class="card stack">
        <h2>{leads}</h2>
        {link.payload.rules && <p class="soft">The first rule that matches decides where a visitor goes.</p>}
        <Routes routed={routed} shortUrl={link.shortUrl} />
        <Warnings texts={routed.warnings} />
        <p>
          {state ? (
            <span class="soft">The debug page also returns 404.</span>
          ) : (
            <>
              <a href={`${link.shortUrl}?d=1`} target="_blank" rel="noreferrer">
                Open the debug page
              </a>{' '}
              <span class="soft">It is public. A view isn’t a click.</span>
            </>
          )}
        </p>
      </section>
      <section class="card stack">
        <h2>Try as…</h2>
        <VisitorPreview draft={routed} asked={query} addressOf={addressOf} />
      </section>
    </>
  );
};
