import { useEffect, useRef, useState } from 'preact/hooks';
import type { TransferProgress } from '../../../ops/console-server/progress.ts';
import { type CallInput, type CallOutput, callService } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { ColumnHeads } from '../../components/columns.tsx';
import { Fact } from '../../components/fact.tsx';
import { ChoiceField, FormField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { announce, Notes } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { number, plural } from '../../format.ts';
import { useLeaveQuestion } from '../../leave-question.ts';
import { A, hrefOf } from '../../router.tsx';

type Format = NonNullable<CallInput<'importLinks'>['format']>;
type Report = CallOutput<'importLinks'>;

const formats: readonly (readonly [Format | '', string])[] = [
  ['', 'Detect from the file'],
  ['ndjson', 'ndjson of this service'],
  ['csv', 'CSV'],
  ['firebase', 'Firebase Dynamic Links'],
  ['bitly', 'Bitly'],
];

/** The file's bytes, because reading it as text would lose bytes that aren't UTF-8. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read'));
    reader.readAsDataURL(file);
  });

/** An import that ends when the user stops it or leaves the view. */
const useStoppableImport = () => {
  const running = useRef<AbortController | undefined>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);
  return {
    stop,
    call: async (
      input: CallInput<'importLinks'>,
      onProgress: (progress: TransferProgress) => void,
    ): Promise<Report> => {
      const stopper = new AbortController();
      const { signal } = stopper;
      running.current = stopper;
      let rows = 0;
      const watch = (progress: TransferProgress) => {
        rows = progress.done ?? rows;
        onProgress(progress);
      };
      return callService('importLinks', input, { onProgress: watch, signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw new Error(`Stopped after about ${plural(rows, 'row')}. To go on, import the file again.`);
      });
    },
  };
};

/** Previews the outcome of each row, then imports the file. */
export const ImportView = ({ project }: { project: string }) => {
  const [file, setFile] = useState<File>();
  const [round, setRound] = useState(0);
  const [format, setFormat] = useState<Format | ''>('');
  const [host, setHost] = useState('');
  const [report, setReport] = useState<Report & { dryRun: boolean }>();
  const action = useAction();
  const stoppable = useStoppableImport();
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    setReport(undefined);
  };
  const start = (dryRun: boolean) =>
    action.run(async (onProgress) => {
      if (!file) throw new Error('Choose a file first.');
      const input = {
        ...{ project, file: await base64Of(file), name: file.name, dryRun },
        ...(format && { format }),
        ...(host && { host }),
      };
      const result = await stoppable.call(input, onProgress);
      setReport({ ...result, dryRun });
      announce(dryRun ? 'Tried: nothing is written yet' : 'The file is imported');
    });
  // A file without new links leaves nothing to import.
  const isTried = report?.dryRun === true && report.totals.created > 0;
  useLeaveQuestion(action.busy && isTried);
  const options = { project, format, host, verify: true, 'dry-run': !isTried };
  return (
    <Page title="Import links">
      <Form
        action={action}
        submit={isTried ? `Import ${plural(report.totals.created, 'link')}` : 'Try without writing'}
        onSubmit={() => start(!isTried)}
        onStop={stoppable.stop}
        onCancel={
          report &&
          (() => {
            choose(undefined);
            // A new key resets the file field.
            setRound(round + 1);
          })
        }
        command={commandFor('link import', [file?.name ?? 'FILE'], options)}
      >
        <fieldset class="bare" disabled={action.busy}>
          <FormField
            label="File"
            hint="An export of this service, a CSV, or the export of another service. Nothing is written at first."
          >
            {(ids) => (
              <input
                {...ids}
                type="file"
                accept=".ndjson,.jsonl,.json,.csv,.txt"
                required
                key={round}
                onChange={(event) => choose(event.currentTarget.files?.[0])}
              />
            )}
          </FormField>
          <ChoiceField
            label="Format"
            hint="CSV files of Firebase, Bitly, Dub, Branch, Short.io, Rebrandly, Kutt, Shlink and YOURLS are recognised by their header."
            value={format}
            choices={formats}
            onChoice={(value) => {
              setFormat(formats.find(([one]) => one === value)?.[0] ?? '');
              setReport(undefined);
            }}
          />
          <TextField
            label="Host of the links"
            hint="The host of the file's short URLs, if it isn't a host of this project. In an export from Firebase, rows on other hosts are refused."
            value={host}
            onText={(text) => {
              setHost(text.trim());
              setReport(undefined);
            }}
            placeholder="example.page.link"
          />
        </fieldset>
      </Form>
      {report && <ImportReport report={report} project={project} />}
    </Page>
  );
};

const words = {
  created: 'New',
  unchanged: 'Unchanged',
  conflict: 'Conflicts',
  refused: 'Refused',
  lost: 'Lose a value',
  limits: 'Lose a limit of visits',
  elsewhere: 'Lead elsewhere',
} as const;

const ImportReport = ({ report, project }: { report: Report & { dryRun: boolean }; project: string }) => (
  <section class="stack" aria-label="Report">
    <h2>{report.dryRun ? 'What an import would do' : 'What the import did'}</h2>
    <dl class="totals">
      {Object.entries(words).map(([result, name]) => (
        <Fact key={result} name={name}>
          {number(report.totals[result as keyof typeof words] ?? 0)}
        </Fact>
      ))}
    </dl>
    <Notes texts={report.notes} />
    {!report.dryRun && (
      <p>
        <A href={hrefOf(['p', project])}>Show the links</A>
      </p>
    )}
    {report.rows.length > 0 && (
      <table>
        <ColumnHeads names={[['Line', 'number'], ['Code'], ['Result'], ['Why']]} />
        <tbody>
          {report.rows.map(({ line, code, result, reason }) => (
            <tr key={line}>
              <td class="number">{number(line)}</td>
              <th scope="row">{code}</th>
              <td>{result}</td>
              <td class="soft reason">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);
