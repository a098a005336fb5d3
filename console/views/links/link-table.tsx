import { useRef } from 'preact/hooks';
import { shownAddress } from '../../../core/base/shown-text.ts';
import { type CallOutput, client } from '../../calls/client.ts';
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

/** Titles of columns, with their classes. Only operators see visitors. */
const columns = [
  ['Link', 'code'],
  ['Destination', 'wide to'],
  ['Tags', 'wide tagged'],
  ['30 days', 'wide recent'],
  ['Clicks', 'number'],
  ['Visitors', 'wide number visitors'],
  ['Created', 'wide created'],
] as const;

/**
 * Two lines a link, name and short URL, instead of a column for each: on a phone few names wrap. A status shows only if
 * it is unusual. Destinations have a column, because they line up.
 */
export const LinkTable = ({ page, project, chosen, left, onChoose }: LinkTableProps) => {
  const { isOperators, offers } = client();
  const chooses = offers('setLinkStatus', project);
  const codes = page.links.map(({ code }) => code);
  // The end of a range that a click with Shift chooses.
  const last = useRef<string>(undefined);
  const choose = (code: string, isChosen: boolean, isRange: boolean) => {
    const ends = [codes.indexOf(last.current ?? ''), codes.indexOf(code)].sort((one, other) => one - other);
    const [first = -1, end = 0] = ends;
    onChoose(isRange && first >= 0 ? codes.slice(first, end + 1) : [code], isChosen);
    last.current = code;
  };
  return (
    <table class="links card">
      <thead>
        <tr>
          {chooses && (
            <Choice
              label="Choose all links of this page"
              isChosen={codes.length > 0 && codes.every((code) => chosen.has(code))}
              onChoice={(isChosen) => onChoose(codes, isChosen)}
            />
          )}
          {columns
            .filter(([name]) => isOperators || name !== 'Visitors')
            .map(([name, classes]) => (
              <th key={name} scope="col" class={classes}>
                {name}
              </th>
            ))}
        </tr>
      </thead>
      <tbody>
        {page.links.map((link) => (
          <tr key={link.code}>
            {chooses && (
              <Choice
                label={`Choose ${link.code}`}
                isChosen={chosen.has(link.code)}
                onChoice={(isChosen, isRange) => choose(link.code, isChosen, isRange)}
              />
            )}
            <th scope="row">
              <div class="title">
                <A href={hrefOf(['p', project, 'links', link.code])} class="name">
                  <bdi>{link.name ?? link.code}</bdi>
                </A>
                <Status status={link.status} blocked={link.blocked} isQuiet />
              </div>
              <div class="short">
                <ShortUrl url={link.shortUrl} />
                <CopyButton text={link.shortUrl} what={`the short URL of ${link.code}`} isSmall />
                <ShareButton url={link.shortUrl} what={`the short URL of ${link.code}`} />
              </div>
              {left.has(link.code) && <span class="fault-text">Not changed: {left.get(link.code)}</span>}
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

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoice: (isChosen: boolean, isRange: boolean) => void;
}

/** A check box that its whole cell toggles. */
const Choice = ({ label, isChosen, onChoice }: ChoiceProps) => {
  // A click on the label arrives at the box as another one, in some browsers without its keys.
  const isShifted = useRef(false);
  return (
    <td class="choose">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard clicks, too; this only notes its Shift */}
      <label
        onClick={(event) => {
          isShifted.current ||= event.shiftKey;
        }}
      >
        <input
          type="checkbox"
          aria-label={label}
          checked={isChosen}
          onChange={({ currentTarget }) => {
            onChoice(currentTarget.checked, isShifted.current);
            isShifted.current = false;
          }}
        />
      </label>
    </td>
  );
};

/** A short URL, of which the code stays whole and the address before it may be cut off. */
const ShortUrl = ({ url }: { url: string }) => {
  const [base = '', code = ''] = address(url).split(/(?=\/[^/]*$)/);
  return (
    <span class="url">
      <span class="cut base">
        <span dir="ltr">{base}</span>
      </span>
      <span class="own">{code}</span>
    </span>
  );
};
