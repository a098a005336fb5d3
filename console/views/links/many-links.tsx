import { useState } from 'preact/hooks';
import { limits } from '../../../core/base/limits.ts';
import type { TransferProgress } from '../../../ops/console-server/progress.ts';
import { callService } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { ColumnHeads } from '../../components/columns.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { FormField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Rows } from '../../components/rows.tsx';
import { TagsInput } from '../../components/tags.tsx';
import { address, number, plural } from '../../format.ts';
import { useLeaveQuestion } from '../../leave-question.ts';
import { A, hrefOf } from '../../router.tsx';
import { linesOf, type PastedLine, withSchemes } from './pasted-lines.ts';
import { takePasted } from './pasted-link.ts';

/** The outcome of a line. */
interface LineOutcome extends Omit<PastedLine, 'code'> {
  /** The created link's code. */
  readonly code?: string;
  readonly shortUrl?: string;
  readonly reason?: string | undefined;
}

/** Creates a link for each address of a list. */
export const ManyLinksView = ({ project }: { project: string }) => {
  const [text, setText] = useState(takePasted);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [outcomes, setOutcomes] = useState<readonly LineOutcome[]>([]);
  const action = useAction();
  const lines = linesOf(withSchemes(text));
  const create = () =>
    action.run(async (onProgress) => {
      const made: LineOutcome[] = [];
      try {
        await createAll({ project, lines, tags, onProgress, onMade: (some) => made.push(...some) });
      } finally {
        setOutcomes(made);
        // Failed lines stay, to be corrected and sent again.
        const done = new Set(made.filter(({ code }) => code !== undefined).map(({ line }) => line));
        setText(lines.flatMap(({ line, text }) => (done.has(line) ? [] : [text])).join('\n'));
      }
      announce(`${plural(made.filter(({ code }) => code !== undefined).length, 'link')} created`);
    });
  useLeaveQuestion(action.busy);
  return (
    <Page title="Many links">
      <Form
        action={action}
        submit={lines.length > 1 ? `Create ${plural(lines.length, 'link')}` : 'Create links'}
        onSubmit={create}
        onCancel={() => history.back()}
        api="POST /1.0/links/bulk"
      >
        <FormField
          label="Addresses"
          hint="One address a line gets a random code. Two columns of a spreadsheet, code and address, set each link's code. A repeated line creates one link, and an invalid one doesn't affect the others."
        >
          {(ids) => (
            <textarea
              {...ids}
              rows={10}
              required
              spellcheck={false}
              value={text}
              placeholder={'https://example.com/spring\nsummer\thttps://example.com/summer'}
              onInput={({ currentTarget: { value } }) => setText(value)}
              onChange={({ currentTarget: { value } }) => setText(withSchemes(value))}
            />
          )}
        </FormField>
        <FormField label="Tags" hint="For all of these links.">
          {(ids) => <TagsInput project={project} tags={tags} onTags={setTags} ids={{ ...ids }} />}
        </FormField>
      </Form>
      {outcomes.length > 0 && <Outcomes project={project} outcomes={outcomes} />}
    </Page>
  );
};

interface Creation {
  readonly project: string;
  readonly lines: readonly PastedLine[];
  readonly tags: readonly string[];
  readonly onProgress: (progress: TransferProgress) => void;
  readonly onMade: (outcomes: readonly LineOutcome[]) => void;
}

/** Creates links in batches of the bulk call's limit. */
const createAll = async ({ project, lines, tags, onProgress, onMade }: Creation): Promise<void> => {
  for (let done = 0; done < lines.length; done += limits.bulkLinks) {
    onProgress({ done, of: lines.length });
    const some = lines.slice(done, done + limits.bulkLinks);
    const links = some.map(({ address, code }) => ({
      payload: { link: address },
      ...(code !== undefined && { code }),
      ...(tags.length > 0 && { tags: [...tags] }),
    }));
    const results = await callService('createLinks', { project, links });
    onMade(
      some.map(({ code: _, ...line }, i) => {
        const result = results[i];
        return { ...line, ...(result?.success ? result.link : { reason: reasonOf(result?.error.message) }) };
      }),
    );
  }
};

/** The message without the API's field names. */
const reasonOf = (message = ''): string =>
  message.replace(/^payload\.link: /, 'The address ').replace(/^code: /, 'The code ');

const Outcomes = ({ project, outcomes }: { project: string; outcomes: readonly LineOutcome[] }) => {
  // Two columns, to paste into a spreadsheet.
  const made = outcomes.flatMap(({ shortUrl, address: to }) => (shortUrl ? `${shortUrl}\t${to}` : []));
  return (
    <section class="stack" aria-label="Outcome">
      <div class="row">
        <h2>
          {number(made.length)} of {plural(outcomes.length, 'link')} created
        </h2>
        {made.length > 0 && <CopyButton text={made.join('\n')} what="all short URLs as two columns" />}
      </div>
      <Rows rows={outcomes.toSorted((one, other) => Number('code' in one) - Number('code' in other))}>
        {(rows) => (
          <table class="outcomes">
            <ColumnHeads names={[['Line', 'number'], ['URL'], ['Short URL or error']]} />
            <tbody>
              {rows.map(({ line, address: to, code, shortUrl, reason }) => (
                <tr key={line}>
                  <td class="number">{number(line)}</td>
                  <th scope="row" class="reason">
                    {address(to)}
                  </th>
                  <td class="reason">
                    {code === undefined ? (
                      <span class="fault-text">{reason}</span>
                    ) : (
                      <A href={hrefOf(['p', project, 'links', code])}>{address(shortUrl ?? code)}</A>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Rows>
    </section>
  );
};
