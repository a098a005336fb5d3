import { useEffect, useId, useState } from 'preact/hooks';
import { dimensionTexts } from '../../../core/analytics/dimension-texts.ts';
import { shownName } from '../../../core/analytics/shown-names.ts';
import { useCall } from '../../calls/use-call.ts';
import { isChoice } from '../../components/tags.tsx';
import { A, hrefOf, navigate } from '../../router.tsx';
import { type LinkAnalyticsOutput, rankedNames } from './analytics-names.ts';
import { type AnalyticsQuery, type FilterGroup, filterGroups, queryOfAnalytics } from './analytics-query.ts';

interface AnalyticsFiltersProps {
  readonly analytics: LinkAnalyticsOutput;
  readonly project: string;
  readonly code: string | undefined;
  /** Names of the link and of the one that it is compared with. */
  readonly names: { readonly link: string | undefined; readonly versus: string };
  readonly query: AnalyticsQuery;
  readonly hrefFor: (query: AnalyticsQuery) => string;
}

/**
 * The filters of analytics. Clicks are stored by each field of a link or project, not by combinations of fields, so that one
 * field can be combined with a link, but not with another field.
 */
export const AnalyticsFilters = ({
  analytics,
  project,
  code,
  names,
  query,
  hrefFor,
}: AnalyticsFiltersProps) => {
  const { only, versus } = query;
  const groups = filterGroups.filter((group) => rankedNames(analytics, group).length > 0);
  return (
    <div class="chosen">
      <ul class="tags">
        {code !== undefined && (
          <Chip
            text={`Link: ${names.link}`}
            href={hrefOf(
              ['p', project, 'analytics'],
              queryOfAnalytics({
                ...query,
                versus: undefined,
                ...(only?.group === 'rules' && { only: undefined }),
              }),
            )}
          />
        )}
        {only && (
          <Chip
            text={`${titleOf(only.group)}: ${shownName(only.group, only.name)}`}
            href={hrefFor({ ...query, only: undefined })}
          />
        )}
        {versus && <Chip text={`With: ${names.versus}`} href={hrefFor({ ...query, versus: undefined })} />}
      </ul>
      {groups.length > 0 && (
        <select
          aria-label="Filter"
          value=""
          onChange={({ currentTarget }) => {
            const [, group, name = ''] = /^(\w+):(.*)$/s.exec(currentTarget.value) ?? [];
            navigate(hrefFor({ ...query, only: { group: group as FilterGroup, name } }));
          }}
        >
          <option value="">{only ? 'Another filter' : 'Filter'}</option>
          {groups.map((group) => (
            <optgroup key={group} label={titleOf(group)}>
              {rankedNames(analytics, group).map(({ name }) => (
                <option key={name} value={`${group}:${name}`}>
                  {shownName(group, name)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
      {code !== undefined && !versus && (
        <OtherLink
          project={project}
          code={code}
          onLink={(other) => navigate(hrefFor({ ...query, versus: other }))}
        />
      )}
    </div>
  );
};

const titleOf = (group: FilterGroup): string => (group === 'tags' ? 'Tags' : dimensionTexts[group].title);

const Chip = ({ text, href }: { text: string; href: string }) => (
  <li class="tag">
    <span dir="auto">{text}</span>
    <A href={href} class="remove">
      <span aria-hidden="true">×</span>
      <span class="unseen">Remove {text}</span>
    </A>
  </li>
);

interface OtherLinkProps {
  readonly project: string;
  readonly code: string;
  readonly onLink: (code: string) => void;
}

/** Finds a link by its words. */
const OtherLink = ({ project, code, onLink }: OtherLinkProps) => {
  const id = useId();
  const [text, setText] = useState('');
  const [search, setSearch] = useState<string>();
  const asked = search === undefined ? undefined : { project, ...(search && { search }) };
  const found = (useCall('links', asked, project).data?.links ?? []).filter((one) => one.code !== code);
  useEffect(() => {
    const later = setTimeout(() => text && setSearch(text.trim()), 300);
    return () => clearTimeout(later);
  }, [text]);
  return (
    <>
      <input
        aria-label="Compare with a link"
        placeholder="Compare with a link"
        list={id}
        autocomplete="off"
        value={text}
        onFocus={() => setSearch(search ?? '')}
        onInput={(event) => {
          const { value } = event.currentTarget;
          if (isChoice(event)) onLink(value);
          else setText(value);
        }}
        onKeyDown={({ key }) => {
          const [first] = found.toSorted((one) => (one.code === text.trim() ? -1 : 1));
          if (key === 'Enter' && text.trim() && first) onLink(first.code);
        }}
      />
      <datalist id={id}>
        {found.map(({ code: one, name }) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
};
