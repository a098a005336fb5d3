import { useState } from 'preact/hooks';
import { type CallInput, callService, client } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { ChoiceField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { announce, Notes } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { plural } from '../../format.ts';
import { saveFile } from '../../save-file.ts';

type Format = CallInput<'exportLinks'>['format'];

export const ExportView = ({ project }: { project: string }) => {
  const [format, setFormat] = useState<Format>('csv');
  const [notes, setNotes] = useState<readonly string[]>([]);
  const action = useAction();
  const start = () =>
    action.run(async (onProgress) => {
      setNotes([]);
      const { text, links, notes } = await callService('exportLinks', { project, format }, { onProgress });
      setNotes(notes);
      saveFile(`${project}.${format}`, text);
      announce(`${plural(links, 'link')} exported`);
    });
  return (
    <Page title="Export links">
      <Form
        action={action}
        submit="Export all links"
        onSubmit={start}
        command={commandFor('link export', [], { project, format, out: `${project}.${format}` })}
      >
        <ChoiceField
          label="Format"
          hint={
            format === 'csv'
              ? 'For spreadsheets: a line for each link, with its clicks.'
              : 'Everything of each link, with its saved apps; for a complete import.'
          }
          value={format}
          choices={[['csv', 'CSV'], ...(client().isOperators ? [['ndjson', 'ndjson'] as const] : [])]}
          onChoice={(value) => {
            setFormat(value === 'csv' ? 'csv' : 'ndjson');
            setNotes([]);
          }}
        />
      </Form>
      <Notes texts={notes} />
    </Page>
  );
};
