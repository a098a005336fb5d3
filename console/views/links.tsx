import { useEffect, useState } from 'preact/hooks';
import type { Output } from '../client.ts';
import { command } from '../command-line.ts';
import { address, day, moment, number, plural } from '../format.ts';
import { Command } from '../parts/command.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Empty } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { A, hrefOf, navigate } from '../router.tsx';
import { useCall } from '../use-call.ts';

interface Filter {
  readonly q: string;
  readonly status: string;
  readonly sort: string;
  readonly page: number;
}

type LinkPage = Output<'links'>;

const statuses = [
  ['', 'Any status'],
  ['ACTIVE', 'Active'],
  ['PAUSED', 'Paused'],
  ['EXPIRED', 'Expired'],
  ['BLOCKED', 'Blocked'],
] as const;

const sorts = [
  ['', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['clicks', 'Most clicks'],
  ['code', 'Code'],
  ['name', 'Name'],
] as const;

const filterOf = (query: URLSearchParams): Filter => ({
  q: query.get('q') ?? '',
  status: statuses.find(([status]) => status === query.get('status'))?.[0] ?? '',
  sort: sorts.find(([sort]) => sort === query.get('sort'))?.[0] ?? '',
  page: Math.max(1, Math.min(1_000_000, Number.parseInt(query.get('page') ?? '1', 10) || 1)),
});

export const LinksView = ({ project, query }: { project: string; query: URLSearchParams }) => {
  const filter = filterOf(query);
  const links = useCall('links', { project, ...filter } as never, project);
  const go = (change: Partial<Filter>, replace = false) => {
    const { page, ...next } = { ...filter, page: 1, ...change };
    navigate(hrefOf(['p', project], { ...next, page: page > 1 ? String(page) : '' }), { replace });
  };
  const fresh = hrefOf(['p', project, 'links', '~new']);
  const isFiltered = filter.q !== '' || filter.status !== '';
  return (
    <Page
      title={`Links of ${project}`}
      heading="Links"
      actions={
        <A href={fresh} class="button primary">
          New link
        </A>
      }
    >
      <Filters filter={filter} go={go} />
      <Loaded from={links} what="Reading links">
        {(page) =>
          page.total === 0 ? (
            <NoLinks isFiltered={page.isFiltered} project={project} />
          ) : (
            <>
              <p class="soft count" role="status">
                {plural(page.total, 'link')}
                {page.isFiltered && ' found'}
                {page.readAt && <> · as of {moment(page.readAt)}</>}
              </p>
              <LinkTable page={page} project={project} />
              <Pager
                page={filter.page}
                pages={Math.ceil(page.total / page.pageSize)}
                go={(to) => go({ page: to })}
              />
            </>
          )
        }
      </Loaded>
      <Command
        line={command('link list', [], { project, search: filter.q, status: filter.status })}
        api={isFiltered || filter.sort ? undefined : `GET /1.0/links?page=${filter.page}`}
      />
    </Page>
  );
};

interface FiltersProps {
  readonly filter: Filter;
  readonly go: (change: Partial<Filter>, replace?: boolean) => void;
}

const Filters = ({ filter, go }: FiltersProps) => {
  const [text, setText] = useState(filter.q);
  useEffect(() => setText(filter.q), [filter.q]);
  useEffect(() => {
    if (text.trim() === filter.q) return;
    // The first letter makes a step that the browser's back can undo; those that follow replace it.
    const later = setTimeout(() => go({ q: text.trim() }, filter.q !== ''), 250);
    return () => clearTimeout(later);
  }, [text]);
  return (
    <search class="filters">
      <input
        type="search"
        aria-label="Search code, name and destination"
        placeholder="Search code, name, destination"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && go({ q: text.trim() })}
      />
      <select
        aria-label="Status"
        value={filter.status}
        onChange={(event) => go({ status: event.currentTarget.value })}
      >
        {statuses.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={filter.sort}
        onChange={(event) => go({ sort: event.currentTarget.value })}
      >
        {sorts.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </search>
  );
};

const NoLinks = ({ isFiltered, project }: { isFiltered: boolean; project: string }) =>
  isFiltered ? (
    <Empty title="No link matches">
      <p>The search looks for the text in code, name and destination, in any case.</p>
      <A href={hrefOf(['p', project])} class="button">
        Show all links
      </A>
    </Empty>
  ) : (
    <Empty title="No links yet">
      <p>A link sends each visitor to the right place: the store on a phone, a page on a desktop.</p>
      <div class="buttons">
        <A href={hrefOf(['p', project, 'links', '~new'])} class="button primary">
          Create a link
        </A>
        <A href={hrefOf(['p', project, 'import'])} class="button">
          Import links
        </A>
      </div>
    </Empty>
  );

const LinkTable = ({ page, project }: { page: LinkPage; project: string }) => (
  <table class="links">
    <thead>
      <tr>
        <th scope="col">Link</th>
        <th scope="col" class="wide">
          Destination
        </th>
        <th scope="col">Status</th>
        <th scope="col" class="number">
          Clicks
        </th>
        <th scope="col" class="wide number">
          Visitors
        </th>
        <th scope="col" class="wide">
          Created
        </th>
        <th scope="col" class="wide">
          <span class="unseen">Copy</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {page.links.map((link) => (
        <tr key={link.code}>
          <th scope="row">
            <A href={hrefOf(['p', project, 'links', link.code])}>{link.code}</A>
            {link.name && <span class="name">{link.name}</span>}
            <span class="destination narrow">{address(link.destination)}</span>
          </th>
          <td class="wide destination" title={link.destination}>
            {address(link.destination)}
          </td>
          <td>
            <Status status={link.status} blocked={link.blocked} />
          </td>
          <td class="number">{number(link.clicks)}</td>
          <td class="number wide">{number(link.uniques)}</td>
          <td class="wide soft" title={moment(link.createdAt)}>
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
