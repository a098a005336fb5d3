import { shownAddress } from '../../../core/base/shown-text.ts';
import { type CallOutput, port } from '../../calls/port.ts';
import { CopyButton, ShareButton } from '../../components/copy.tsx';
import { RecentClicks } from '../../components/recent-clicks.tsx';
import { Status } from '../../components/status.tsx';
import { TagLinks } from '../../components/tags.tsx';
import { address, day, destination, moment, number } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';

export type ListPage = CallOutput<'links'>;

interface LinkTableProps {
  readonly page: ListPage;
  readonly project: string;
  /** Codes of the selected links. */
  readonly chosen: ReadonlySet<string>;
  /** Reasons why links weren't changed, by code. */
  readonly left: ReadonlyMap<string, string>;
  readonly onChoose: (codes: readonly string[], isChosen: boolean) => void;
}

export const LinkTable = ({ page, project, chosen, left, onChoose }: LinkTableProps) => {
  const { isOperators, offers } = port();
  const chooses = offers('setLinkStatus', project);
  return (
    <table class="links card">
      <thead>
        <tr>
          {chooses && (
            <td class="choose">
              <input
                type="checkbox"
                aria-label="Choose all links of this page"
                checked={page.links.length > 0 && page.links.every(({ code }) => chosen.has(code))}
                onChange={({ currentTarget }) =>
                  onChoose(
                    page.links.map(({ code }) => code),
                    currentTarget.checked,
                  )
                }
              />
            </td>
          )}
          <th scope="col" class="code">
            Link
          </th>
          <th scope="col" class="wide to">
            Destination
          </th>
          <th scope="col" class="wide tagged">
            Tags
          </th>
          <th scope="col" class="wide recent">
            30 days
          </th>
          <th scope="col" class="number">
            Clicks
          </th>
          {isOperators && (
            <th scope="col" class="wide number visitors">
              Visitors
            </th>
          )}
          <th scope="col" class="wide created">
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {page.links.map((link) => (
          <tr key={link.code}>
            {chooses && (
              <td class="choose">
                <input
                  type="checkbox"
                  aria-label={`Choose ${link.code}`}
                  checked={chosen.has(link.code)}
                  onChange={({ currentTarget }) => onChoose([link.code], currentTarget.checked)}
                />
              </td>
            )}
            <th scope="row">
              <div class="title">
                <A href={hrefOf(['p', project, 'links', link.code])} class="name">
                  <bdi>{link.name ?? link.code}</bdi>
                </A>
                <Status status={link.status} blocked={link.blocked} isQuiet />
              </div>
              <div class="short">
                <span class="cut">{address(link.shortUrl)}</span>
                <CopyButton text={link.shortUrl} what={`the short URL of ${link.code}`} isSmall />
                <ShareButton url={link.shortUrl} what={`the short URL of ${link.code}`} />
              </div>
              {left.has(link.code) && <span class="fault-text">Left as before: {left.get(link.code)}</span>}
              <span class="destination narrow">{destination(link.payload.link)}</span>
            </th>
            <td class="wide destination" title={shownAddress(link.payload.link)}>
              {destination(link.payload.link)}
            </td>
            <td class="wide tagged">
              <TagLinks tags={link.tags ?? []} href={(tag) => hrefOf(['p', project], { tags: tag })} />
            </td>
            <td class="wide recent">
              <RecentClicks project={project} code={link.code} />
            </td>
            <td class="number">{number(link.clickCount)}</td>
            {isOperators && <td class="number wide visitors">{number(link.analytics?.uniqueClicks ?? 0)}</td>}
            <td class="wide soft created" title={moment(link.createdAt)}>
              {day(link.createdAt)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
