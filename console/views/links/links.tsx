import { useEffect, useState } from 'preact/hooks';
import { command } from '../../command-line.ts';
import { moment, plural } from '../../format.ts';
import { Command } from '../../parts/command.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { TagsInput } from '../../parts/tags.tsx';
import { port } from '../../port.ts';
import { A, hrefOf, navigate } from '../../router.tsx';
import { useCall } from '../../use-call.ts';
import { ChosenLinks, type LeftLinks } from './chosen-links.tsx';
import { type LinkPage, LinkTable } from './link-table.tsx';

interface Filter {
  readonly q: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly sort: string;
  readonly page: number;
}

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
  tags: (query.get('tags') ?? '').split(',').filter(Boolean),
  sort: sorts.find(([sort]) => sort === query.get('sort'))?.[0] ?? '',
  page: Math.max(1, Math.min(1_000_000, Number.parseInt(query.get('page') ?? '1', 10) || 1)),
});

export const LinksView = ({ project, query }: { project: string; query: URLSearchParams }) => {
  const filter = filterOf(query);
  const links = useCall('links', { project, ...filter } as never, project);
  const go = (change: Partial<Filter>, replace = false) => {
    const { page, tags, ...next } = { ...filter, page: 1, ...change };
    const shown = { ...next, tags: tags.join(), page: page > 1 ? String(page) : '' };
    navigate(hrefOf(['p', project], shown), { replace });
  };
  const fresh = hrefOf(['p', project, 'links', '~new']);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [left, setLeft] = useState<LeftLinks>(new Map());
  const choose = (codes: readonly string[], isChosen: boolean) =>
    setChosen(
      (before) =>
        new Set(isChosen ? [...before, ...codes] : [...before].filter((one) => !codes.includes(one))),
    );
  // Newest first, links appear as they are found.
  const isPartial = links.loading || links.stopped;
  const found = isPartial ? (links.progress?.found as LinkPage | undefined) : undefined;
  const isEmpty = links.data?.total === 0 && !links.data.isFiltered;
  return (
    <Page
      title="Links"
      actions={
        port().offers('createLink', project) && (
          <A href={fresh} class="button primary">
            New link
          </A>
        )
      }
    >
      {!isEmpty && <Filters project={project} filter={filter} go={go} />}
      {links.loading && links.progress && (
        <div class="buttons start">
          <button type="button" onClick={links.stop}>
            Stop searching
          </button>
        </div>
      )}
      <div class="choosing">
        {found && found.total > 0 && (
          <>
            <p class="soft count">{plural(found.total, 'link')} found so far</p>
            <LinkTable page={found} project={project} chosen={chosen} left={left} onChoose={choose} />
          </>
        )}
        <Loaded from={links} what="Reading links">
          {(page) =>
            found ? null : page.total === 0 ? (
              <NoLinks isFiltered={page.isFiltered} project={project} />
            ) : (
              <>
                <p class="soft count" role="status">
                  {plural(page.total, 'link')}
                  {page.isFiltered && ' found'}
                  {page.readAt && <> · as of {moment(page.readAt)}</>}
                </p>
                <LinkTable page={page} project={project} chosen={chosen} left={left} onChoose={choose} />
                <Pager
                  page={filter.page}
                  pages={Math.ceil(page.total / page.pageSize)}
                  go={(to) => go({ page: to })}
                />
              </>
            )
          }
        </Loaded>
        <ChosenLinks
          project={project}
          codes={[...chosen]}
          elsewhere={notOn(found ?? links.data, left)}
          onDone={(reasons) => {
            setLeft(reasons);
            links.reload();
          }}
          onClear={() => {
            setChosen(new Set());
            setLeft(new Map());
          }}
        />
      </div>
      <Command
        line={command('link list', [], {
          project,
          search: filter.q,
          status: filter.status,
          tag: filter.tags.join(),
        })}
        api={apiOf(filter)}
      />
    </Page>
  );
};

const notOn = (page: LinkPage | undefined, left: LeftLinks): LeftLinks =>
  new Map([...left].filter(([one]) => !page?.links.some(({ code }) => code === one)));

/** The API's call for the same links, where it has one. */
const apiOf = ({ q, status, tags, sort, page }: Filter): string | undefined => {
  if (sort !== '' || status === 'BLOCKED') return undefined;
  const given = Object.entries({ tag: tags.join(), status, search: q }).filter(([, value]) => value !== '');
  if (given.length === 0) return `GET /1.0/links?page=${page}`;
  return `GET /1.0/links?${new URLSearchParams([...given, ['cursor', '']])}`;
};

interface FiltersProps {
  readonly project: string;
  readonly filter: Filter;
  readonly go: (change: Partial<Filter>, replace?: boolean) => void;
}

const Filters = ({ project, filter, go }: FiltersProps) => {
  const { isOperators } = port();
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
        aria-label="Search code, name and addresses"
        placeholder="Search code, name, address"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && go({ q: text.trim() })}
      />
      <select
        aria-label="Status"
        value={filter.status}
        onChange={(event) => go({ status: event.currentTarget.value })}
      >
        {statuses
          .filter(([value]) => isOperators || value !== 'BLOCKED')
          .map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
      </select>
      {isOperators && (
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
      )}
      <TagsInput
        project={project}
        name="Tags"
        placeholder="Tags"
        tags={filter.tags}
        onTags={(tags) => go({ tags })}
      />
    </search>
  );
};

const NoLinks = ({ isFiltered, project }: { isFiltered: boolean; project: string }) =>
  isFiltered ? (
    <Empty title="No link matches">
      <p>The search looks for the text in code, name and every address, in any case.</p>
      <A href={hrefOf(['p', project])} class="button">
        Show all links
      </A>
    </Empty>
  ) : (
    <Empty title="No links yet">
      <p>A link sends each visitor to the right place: the store on a phone, a page on a desktop.</p>
      <div class="buttons">
        {port().offers('createLink', project) && (
          <A href={hrefOf(['p', project, 'links', '~new'])} class="button primary">
            Create a link
          </A>
        )}
        {port().offers('importLinks', project) && (
          <A href={hrefOf(['p', project, 'import'])} class="button">
            Import links
          </A>
        )}
      </div>
    </Empty>
  );
