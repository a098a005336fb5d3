import { type CallInput, type CallOptions, callService, client } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { Icon } from '../../components/icon.tsx';
import { announce } from '../../components/notice.tsx';
import { plural } from '../../format.ts';
import { saveFile } from '../../save-file.ts';

interface ListCsvProps {
  readonly project: string;
  readonly query: CallInput<'links'>;
}

/** Downloads all pages of a list, in its order. */
export const ListCsv = ({ project, query }: ListCsvProps) => {
  const action = useAction();
  if (!client().offers('exportLinks', project)) return null;
  const download = () =>
    action.run(async () => {
      const codes = await codesOf(query);
      const { text, links } = await callService('exportLinks', { project, format: 'csv', codes });
      saveFile(`${project}-${links}-links.csv`, text);
      announce(`${plural(links, 'link')} downloaded`);
    });
  return (
    <div class="buttons">
      {action.error !== undefined && (
        <span class="fault-text" role="alert">
          {action.error}
        </span>
      )}
      <button
        type="button"
        class="small"
        disabled={action.busy}
        aria-label="Download the list as CSV"
        onClick={download}
      >
        <Icon name="download" /> CSV
      </button>
    </div>
  );
};

/** The codes of all links of a list, in its order. Throws an Error if there are more than `most`. */
export const codesOf = async (
  query: CallInput<'links'>,
  most = Number.POSITIVE_INFINITY,
  onProgress: CallOptions['onProgress'] = undefined,
): Promise<string[]> => {
  const codes: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { links, pagination }: Page = await callService('links', { ...query, cursor });
    codes.push(...links.map(({ code }) => code));
    if (codes.length > most || ('total' in pagination && pagination.total > most))
      throw new Error(
        `At most ${plural(most, 'link')} can be chosen. Search, or filter the list, to have fewer.`,
      );
    onProgress?.({ done: codes.length });
    if ('nextCursor' in pagination) cursor = pagination.nextCursor;
    else cursor = pagination.page < pagination.totalPages ? String(pagination.page + 1) : null;
  }
  return codes;
};

type Page = Awaited<ReturnType<typeof callService<'links'>>>;
