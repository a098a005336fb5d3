import { shownAddress } from '../../../core/base/shown-text.ts';
import { type CallOutput, port } from '../../calls/port.ts';
import { CopyButton } from '../../components/copy.tsx';
import { Status } from '../../components/status.tsx';
import { TagLinks } from '../../components/tags.tsx';
import { day, destination, moment, number } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';

export type ListPage = CallOutput<'links'>;

interface LinkTableProps {
  readonly page: ListPage;
  readonly project: string;
  /** Codes of the links that are chosen. */
  readonly chosen: ReadonlySet<string>;
  /** Why some were left as they are. */
  readonly left: ReadonlyMap<string, string>;
  readonly onChoose: (codes: readonly string[], isChosen: boolean) => void;
}

export const LinkTable = ({ page, project, chosen, left, onChoose }: LinkTableProps) => {
  const { isOperators, offers } = port();
  const chooses = offers('setLinkStatus', project);
  return (
    <table class="links">
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
          <th scope="col" class="wide">
            Destination
          </th>
          <th scope="col" class="status">
            Status
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
          <th scope="col" class="wide copy">
            <span class="unseen">Copy</span>
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
              <A href={hrefOf(['p', project, 'links', link.code])}>{link.code}</A>
              {link.name && <span class="name">{link.name}</span>}
              <TagLinks tags={link.tags ?? []} href={(tag) => hrefOf(['p', project], { tags: tag })} />
              {left.has(link.code) && <span class="fault-text">Left as before: {left.get(link.code)}</span>}
              <span class="destination narrow">{destination(link.payload.link)}</span>
            </th>
            <td class="wide destination" title={shownAddress(link.payload.link)}>
              {destination(link.payload.link)}
            </td>
            <td>
              <Status status={link.status} blocked={link.blocked} />
            </td>
            <td class="number">{number(link.clickCount)}</td>
            {isOperators && <td class="number wide visitors">{number(link.analytics?.uniqueClicks ?? 0)}</td>}
            <td class="wide soft created" title={moment(link.createdAt)}>
              {day(link.createdAt)}
            </td>
            <td class="wide">
              <CopyButton text={link.shortUrl} what={`the short URL of ${link.code}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
