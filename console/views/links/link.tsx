import { shownAddress } from '../../../core/base/shown-text.ts';
import { type CallOutput, port } from '../../calls/port.ts';
import { useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Hint, Warnings } from '../../components/notice.tsx';
import { BlockedHosts } from '../../components/outside.tsx';
import { Page } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { TagLinks } from '../../components/tags.tsx';
import { address, inOwnTime } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';
import { FiguresPanel } from '../figures/figures.tsx';
import { RuleList } from '../rules/rule-list.tsx';
import { Routes } from '../visits/routes.tsx';
import { SocialCard } from '../visits/social-card.tsx';
import { WhoGoes } from '../visits/who-goes.tsx';
import { History } from './history.tsx';
import { LinkActions } from './link-actions.tsx';
import { LinkSettings } from './link-settings.tsx';
import { QrCode } from './qr-code.tsx';

type Found = CallOutput<'reach'>;

interface LinkViewProps {
  readonly project: string;
  readonly code: string;
  readonly query: URLSearchParams;
}

export const LinkView = ({ project, code, query }: LinkViewProps) => {
  const found = useCall('reach', { project, code }, `${project} ${code}`);
  const { data } = found;
  // Where nothing is known of the ways, the settings say where the link leads.
  const isShort = data?.routes.length === 0;
  const settings = data && <LinkSettings link={data.link} />;
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
        <BlockedHosts.Provider value={data.blockedHosts}>
          <div class="ways-and-qr">
            <div class="stack">
              <Ways data={data} />
              {isShort && settings}
            </div>
            <div class="stack">
              <section class="card stack">
                <h2>QR code</h2>
                {data.state && <Hint>Who scans it now gets the 404 page.</Hint>}
                <QrCode shortUrl={data.link.shortUrl} code={code} />
              </section>
              <section class="card stack">
                <h2>Social card</h2>
                <SocialCard social={data.link.payload.social} host={new URL(data.link.shortUrl).host} />
              </section>
            </div>
          </div>
          <FiguresPanel project={project} code={code} query={query} rules={data.link.payload.rules} />
          {!isShort && settings}
          <History project={project} code={code} onChange={found.reload} />
          <CommandHint line={commandFor('link show', [code], { project })} api={`GET /1.0/links/${code}`} />
          <p>
            <A href={hrefOf(['p', project])}>All links</A>
          </p>
        </BlockedHosts.Provider>
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
        <a href="#figures" class="button quiet small">
          Figures
        </a>
      </span>
    </div>
    <p class="soft lead clamp">
      {link.name && <>{link.name} · </>}leads to {shownAddress(link.originalUrl)}
    </p>
    <TagLinks tags={link.tags ?? []} href={(tag) => hrefOf(['p', link.projectId], { tags: tag })} />
    {reasons.map((reason) => (
      <div key={reason} class="notice warn">
        {inOwnTime(reason)}
      </div>
    ))}
  </div>
);

/** Who goes where. */
const Ways = ({ data: { link, routes, warnings, state } }: { data: Found }) => {
  const leads = state ? 'Where it would lead' : 'Where it leads';
  return (
    <>
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
            <span class="soft">The debug page answers 404, too.</span>
          ) : (
            <>
              <a href={`${link.shortUrl}?d=1`} target="_blank" rel="noreferrer">
                Open the debug page
              </a>{' '}
              <span class="soft">which visitors can see, too. It counts no click.</span>
            </>
          )}
        </p>
      </section>
    </>
  );
};
