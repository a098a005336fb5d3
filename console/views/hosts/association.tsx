import { useState } from 'preact/hooks';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { useQuestion } from '../../components/confirm.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { announce } from '../../components/notice.tsx';

interface AssociationPanelProps {
  readonly project: string;
  readonly association: CallOutput<'hosts'>['association'];
  readonly reload: () => void;
}

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** The installed apps that open the project's short URLs. */
export const AssociationPanel = ({ project, association, reload }: AssociationPanelProps) => {
  const [ios, setIos] = useState(association.ios.join(', '));
  const [android, setAndroid] = useState(association.android.map((app) => app.package).join(', '));
  const [fingerprints, setFingerprints] = useState(
    [...new Set(association.android.flatMap((app) => app.fingerprints))].join(', '),
  );
  const action = useAction();
  const [dialog, ask] = useQuestion(reload);
  const stated = association.ios.length + association.android.length > 0;
  const save = () =>
    action.run(async () => {
      await callService('setAssociation', {
        project,
        ios: wordsOf(ios),
        android: wordsOf(android),
        fingerprints: wordsOf(fingerprints),
      });
      announce('Apps saved');
      reload();
    });
  const remove = () =>
    ask({
      title: 'Remove the apps?',
      body: 'Short URLs open in the browser once phones have read the files again.',
      action: 'Remove apps',
      dangerous: true,
      command: commandFor('association remove', [], { project }),
      work: () => callService('removeAssociation', { project }),
      done: 'Apps removed',
    });
  const options = {
    project,
    ios: wordsOf(ios).join(','),
    android: wordsOf(android).join(','),
    sha256: android && wordsOf(fingerprints).join(','),
  };
  return (
    <section class="stack">
      <h2>Apps that open these short URLs</h2>
      <p class="soft">
        Universal Links and App Links: a phone with the app installed opens the app itself. The service serves
        the association files from what you save here.
      </p>
      <Form
        action={action}
        submit="Save apps"
        onSubmit={save}
        command={commandFor('association set', [], options)}
      >
        <TextField
          label="iOS apps"
          hint="Team id, a dot and bundle id of each, separated by commas."
          value={ios}
          onText={setIos}
          placeholder="ABCDE12345.com.example.app"
        />
        <TextField
          label="Android packages"
          hint="Separated by commas."
          value={android}
          onText={setAndroid}
          placeholder="com.example.app"
        />
        <TextField
          label="SHA-256 fingerprints"
          hint="Of the certificates that sign the Android apps, separated by commas."
          value={fingerprints}
          onText={setFingerprints}
          placeholder="14:6D:E9:…"
        />
      </Form>
      {stated && (
        <p>
          <button type="button" onClick={remove}>
            Remove apps
          </button>
        </p>
      )}
      {dialog}
    </section>
  );
};
