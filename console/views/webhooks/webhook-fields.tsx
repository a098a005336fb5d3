import type { CallOutput } from '../../calls/client.ts';
import { Checks } from '../../components/checks.tsx';
import { TextField } from '../../components/field.tsx';
import { OwnFaults } from '../../components/own-faults.tsx';

type EventType = CallOutput<'webhooks'>['types'][number];

export interface WebhookForm {
  readonly url: string;
  readonly name: string;
  readonly events: readonly EventType[];
}

interface WebhookFieldsProps {
  readonly types: readonly EventType[];
  /** The description of each type. */
  readonly words: CallOutput<'webhooks'>['words'];
  readonly settings: WebhookForm;
  /** Whether it has a name, which can't be removed. */
  readonly isNamed?: boolean;
  readonly onChange: (settings: WebhookForm) => void;
}

export const WebhookFields = ({ types, words, settings, isNamed = false, onChange }: WebhookFieldsProps) => (
  <>
    <TextField
      label="Address"
      path="url"
      hint="Where events are posted: https on a public host, or eventbridge:NAME for a bus of the deployment's settings."
      value={settings.url}
      onText={(url) => onChange({ ...settings, url: url.trim() })}
      placeholder="https://hooks.example.com/links"
      required
    />
    <TextField
      label="Name"
      path="name"
      hint="For you and your team."
      value={settings.name}
      onText={(name) => onChange({ ...settings, name })}
      required={isNamed}
    />
    <fieldset>
      <legend>Events</legend>
      <OwnFaults path="events" />
      <Checks
        values={types}
        chosen={settings.events}
        onChosen={(events) => onChange({ ...settings, events })}
      >
        {(type) => (
          <>
            {words[type].says} <code class="soft">{type}</code>
          </>
        )}
      </Checks>
    </fieldset>
  </>
);
