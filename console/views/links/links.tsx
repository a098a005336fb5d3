import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { type CallInput, client } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { Select } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { TagsInput } from '../../components/tags.tsx';
import { moment, plural } from '../../format.ts';
import { A, hrefOf, navigate } from '../../router.tsx';
import type { LeftLinks } from './chosen-acts.tsx';
import { ChosenLinks } from './chosen-links.tsx';
import { LinkTable, type ListPage } from './link-table.tsx';
import { ListCsv } from './list-csv.tsx';
import { usePastedLink } from './pasted-link.ts';

type Status = (typeof statuses)[number][0];
type Sort = (typeof sorts)[number][0];

interface Filter {
  readonly q: string;
  readonly status: Status;
  readonly tags: readonly string[];
  readonly sort: Sort;
  /** The page's cursor; empty for the first. */
  readonly page: string;
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
  status: knownOf(statuses, query.get('status')),
  tags: (query.get('tags') ?? '').split(',').filter(Boolean),
  sort: knownOf(sorts, query.get('sort')),
  page: query.get('page') ?? '',
});

const knownOf = <Value extends string>(
  choices: readonly (readonly [Value | '', string])[],
  chosen: string | null,
): Value | '' => choices.find(([value]) => value === chosen)?.[0] ?? '';

export const LinksView = ({ project, query }: { project: string; query: URLSearchParams }) => {
  const filter = filterOf(query);
  const isFiltered = filter.q !== '' || filter.status !== '' || filter.tags.length > 0;
  usePastedLink(project);
  const asked = queryOf(project, filter);
  const links = useCall('links', asked, project);
  const go = (change: Partial<Filter>, replace = false) => {
    const next = { ...filter, page: '', ...change };
    navigate(hrefOf(['p', project], { ...next, tags: next.tags.join() }), { replace });
  };
  const fresh = hrefOf(['p', project, 'links', '~new']);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [left, setLeft] = useState<LeftLinks>(new Map());
  const choose = (codes: readonly string[], isChosen: boolean) =>
    setChosen(
      (before) =>
        new Set(isChosen ? [...before, ...codes] : [...before].filter((one) => !codes.includes(one))),
    );
  const [isGoing, setGoing] = useState(false);
  useEffect(() => {
    if (!isGoing || links.loading) return;
    document.querySelector<HTMLElement>('.links .name')?.focus();
    setGoing(false);
  }, [isGoing, links.loading]);
  // In the order newest first, links appear as they are found.
  const isPartial = links.loading || links.stopped;
  const found = isPartial ? (links.progress?.found as ListPage | undefined) : undefined;
  const isEmpty = links.data && !isFiltered && isNone(links.data);
  return (
    <Page
      title="Links"
      actions={
        client().offers('createLink', project) && (
          <A href={fresh} class="button primary">
            New link
          </A>
        )
      }
    >
      {!isEmpty && <Filters project={project} filter={filter} go={go} onFirst={() => setGoing(true)} />}
      {links.loading && links.progress && (
        <div class="buttons start">
          <button type="button" onClick={links.stop}>
            Stop searching
          </button>
        </div>
      )}
      <div class="choosing">
        {found && !isNone(found) && (
          <>
            <p class="soft count">{plural(countOf(found), 'link')} found so far</p>
            <LinkTable page={found} project={project} chosen={chosen} left={left} onChoose={choose} />
          </>
        )}
        <Loaded from={links} what="Reading links">
          {(page) =>
            found ? null : isNone(page) && filter.page === '' ? (
              <NoLinks isFiltered={isFiltered} project={project} />
            ) : (
              <>
                <div class="row">
                  <p class="soft count" role="status">
                    {plural(countOf(page), 'link')}
                    {isFiltered && (isWhole(page, filter) ? ' found' : ' on this page')}
                    {page.readAt && <> · as of {moment(page.readAt)}</>}
                  </p>
                  <ListCsv project={project} query={asked} />
                </div>
                <LinkTable page={page} project={project} chosen={chosen} left={left} onChoose={choose} />
                <Pager
                  cursor={filter.page}
                  pagination={page.pagination}
                  go={(to) => go({ page: to === '1' ? '' : to })}
                />
              </>
            )
          }
        </Loaded>
        <ChosenLinks
          project={project}
          codes={[...chosen]}
          total={links.data && 'total' in links.data.pagination ? links.data.pagination.total : undefined}
          query={{ ...asked, cursor: '' }}
          onChoose={(codes) => setChosen(new Set(codes))}
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
      <CommandHint
        line={commandFor('link list', [], {
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

const queryOf = (project: string, { q, status, tags, sort, page }: Filter): CallInput<'links'> => ({
  project,
  ...(q && { search: q }),
  ...(status && { status }),
  ...(tags.length > 0 && { tag: tags }),
  ...(sort && { sort }),
  ...(page && { cursor: page }),
});

const countOf = ({ links, pagination }: ListPage): number =>
  'total' in pagination ? pagination.total : links.length;
const isNone = (page: ListPage): boolean => countOf(page) === 0;
/** Whether the list has only this page. */
const isWhole = ({ pagination }: ListPage, { page }: Filter): boolean =>
  'total' in pagination || (page === '' && pagination.nextCursor === null);

const notOn = (page: ListPage | undefined, left: LeftLinks): LeftLinks =>
  new Map([...left].filter(([one]) => !page?.links.some(({ code }) => code === one)));

/** The API's call for the same links, if there is one. */
const apiOf = ({ q, status, tags, sort, page }: Filter): string | undefined => {
  if (sort !== '') return undefined;
  const given = Object.entries({ tag: tags.join(), status, search: q }).filter(([, value]) => value !== '');
  if (given.length === 0) return `GET /1.0/links?page=${page || 1}`;
  return `GET /1.0/links?${new URLSearchParams([...given, ['cursor', '']])}`;
};

interface FiltersProps {
  readonly project: string;
  readonly filter: Filter;
  readonly go: (change: Partial<Filter>, replace?: boolean) => void;
  /** Goes to the first link, once it is found. */
  readonly onFirst: () => void;
}

const Filters = ({ project, filter, go, onFirst }: FiltersProps) => {
  const [text, setText] = useState(filter.q);
  const [isOpen, setOpen] = useState(false);
  const set = [filter.status, filter.sort].filter(Boolean).length + filter.tags.length;
  // Before the paint, and not what is typed already: letters and spaces that follow stay.
  useLayoutEffect(() => setText((now) => (now.trim() === filter.q ? now : filter.q)), [filter.q]);
  useEffect(() => {
    if (text.trim() === filter.q) return;
    // The first letter adds an entry to the browser's history; the following ones replace it.
    const later = setTimeout(() => go({ q: text.trim() }, filter.q !== ''), 250);
    return () => clearTimeout(later);
  }, [text]);
  return (
    <search class={isOpen ? 'filters open' : 'filters'}>
      <input
        type="search"
        aria-label="Search code, name and addresses"
        placeholder="Search code, name, address"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          if (text.trim() !== filter.q) go({ q: text.trim() });
          onFirst();
        }}
      />
      <button type="button" class="narrow" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="filter" /> {set > 0 ? `Filters (${set})` : 'Filters'}
      </button>
      <Select
        aria-label="Status"
        value={filter.status}
        choices={statuses}
        onChoice={(status) => go({ status: knownOf(statuses, status) })}
      />
      <Select
        aria-label="Order"
        value={filter.sort}
        choices={sorts}
        onChoice={(sort) => go({ sort: knownOf(sorts, sort) })}
      />
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
      <p>
        The search looks for all words, in any order, in code, name and URLs. Case doesn’t matter. Try fewer
        words, or another status or tag.
      </p>
      <A href={hrefOf(['p', project])} class="button">
        Show all links
      </A>
    </Empty>
  ) : (
    <Empty title="No links yet">
      <p>
        A link sends each visitor to the right place: the store on a phone, a page on a desktop.
        {client().offers('createLink', project) && ' Paste an address here, and a link to it is made.'}
      </p>
      <div class="buttons">
        {client().offers('createLink', project) && (
          <A href={hrefOf(['p', project, 'links', '~new'])} class="button primary">
            Create a link
          </A>
        )}
        {client().offers('importLinks', project) && (
          <A href={hrefOf(['p', project, 'import'])} class="button">
            Import links
          </A>
        )}
      </div>
    </Empty>
  );
