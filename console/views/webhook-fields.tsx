import type { Output } from '../client.ts';
import { TextField } from '../parts/field.tsx';
import { OwnFaults } from '../parts/own-faults.tsx';

type EventType = Output<'webhooks'>['types'][number];

export interface WebhookSettings {
  readonly url: string;
  readonly name: string;
  readonly events: readonly EventType[];
}

/** What each type of event tells. The compiler asks for the words of a new one. */
const words: Readonly<Record<EventType, string>> = {
  'link.created': 'links that are created',
  'link.updated': 'links that are changed, paused, activated or blocked',
  'link.deleted': 'links that are deleted',
  'link.expired': 'links that have expired',
  'link.clicked': 'clicks, up to 100 together',
  'app.opened': 'opens of apps, up to 100 together',
};

interface WebhookFieldsProps {
  readonly types: readonly EventType[];
  readonly settings: WebhookSettings;
  /** A name that is set can't be taken away. */
  readonly isNamed?: boolean;
  readonly onChange: (settings: WebhookSettings) => void;
}

export const WebhookFields = ({ types, settings, isNamed = false, onChange }: WebhookFieldsProps) => (
  <>
    <TextField
      label="Address"
      path="url"
      hint="Where events are posted: https on a public host, or eventbridge:NAME for a bus that the deployment names."
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
      {types.map((type) => (
        <label key={type} class="check">
          <input
            type="checkbox"
            checked={settings.events.includes(type)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({
                ...settings,
                events: types.filter((one) => (one === type ? checked : settings.events.includes(one))),
              })
            }
          />
          <span>
            {words[type]} <code class="soft">{type}</code>
          </span>
        </label>
      ))}
    </fieldset>
  </>
);
