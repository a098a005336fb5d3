import { useState } from 'preact/hooks';
import { type CallOutput, callService } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { Checks } from '../../components/checks.tsx';
import { CommandHint } from '../../components/command.tsx';
import { useQuestion } from '../../components/confirm.tsx';
import { TextField } from '../../components/field.tsx';
import { FormSection } from '../../components/form.tsx';
import { KeyUse, keyName } from '../../components/key-use.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { day } from '../../format.ts';
import { ShareKeyFacts } from './share-key.tsx';

type Key = CallOutput<'keys'>[number];
type Scope = Extract<Key, { kind: 'secret' }>['scopes'][number];

const scopes: Readonly<Record<Scope, string>> = {
  'links:read': 'read links and analytics',
  'links:write': 'create and change links',
  'links:delete': 'delete links',
  'apps:read': 'read saved apps',
  'apps:write': 'create, change and delete saved apps',
};
const allScopes = Object.keys(scopes) as Scope[];

export const KeysView = ({ project }: { project: string }) => {
  const keys = useCall('keys', { project });
  const [made, setMade] = useState<string>();
  return (
    <Page title="API keys">
      {made && <ShownOnce what="The new key" secret={made} onDone={() => setMade(undefined)} />}
      <Loaded from={keys} what="Reading keys">
        {(all) => (
          <div class="beside">
            {all.length > 0 && (
              <div class="stack">
                <KeyList keys={all} reload={keys.reload} />
                <CommandHint line={commandFor('key list', [], { project })} />
              </div>
            )}
            <CreateKey
              project={project}
              isFirst={all.length === 0}
              onMade={(apiKey) => {
                setMade(apiKey);
                keys.reload();
              }}
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
};

const KeyList = ({ keys, reload }: { keys: readonly Key[]; reload: () => void }) => {
  const [dialog, ask] = useQuestion(reload);
  const revoke = (key: Key, withLinks: boolean) => {
    const { keyId } = key;
    ask({
      title: withLinks ? 'Revoke this key, and block its links?' : 'Revoke this key?',
      body: (
        <>
          <p>
            <b>{keyName(key)}</b> is refused at its next call. This can’t be undone.
          </p>
          {withLinks && (
            <p>
              Within a minute, visitors of its links get the “not found” page. The command{' '}
              <code>key restore-links</code> lets them lead on again.
            </p>
          )}
        </>
      ),
      action: withLinks ? 'Revoke and block' : 'Revoke key',
      dangerous: true,
      command: commandFor('key revoke', [keyId], { 'with-links': withLinks }),
      work: () => callService('revokeKey', { keyId, withLinks }),
      done: 'Key revoked',
    });
  };
  return (
    <ul class="rows">
      {keys.map((key) => (
        <li key={key.keyId} class="card row">
          <div>
            <p>
              <strong>{keyName(key)}</strong> <KeyUse {...key} />
            </p>
            <p class="soft">
              {key.kind === 'publishable'
                ? 'Publishable'
                : key.scopes.length === allScopes.length
                  ? 'All permissions'
                  : key.scopes.join(', ')}{' '}
              · created {day(key.createdAt)} · <code>{key.keyId}</code>
            </p>
            {key.kind === 'publishable' && <ShareKeyFacts shareKey={key} reload={reload} />}
          </div>
          <div class="buttons">
            {!key.revokedAt && (
              <button type="button" onClick={() => revoke(key, false)} aria-label={`Revoke ${keyName(key)}`}>
                Revoke
              </button>
            )}
            {key.kind === 'publishable' && (
              <button
                type="button"
                onClick={() => revoke(key, true)}
                aria-label={`Block the links of ${keyName(key)}`}
              >
                Block links
              </button>
            )}
          </div>
        </li>
      ))}
      {dialog}
    </ul>
  );
};

interface CreateKeyProps {
  readonly project: string;
  readonly isFirst: boolean;
  readonly onMade: (apiKey: string) => void;
}

const CreateKey = ({ project, isFirst, onMade }: CreateKeyProps) => {
  const [user, setUser] = useState('');
  const [granted, setGranted] = useState<readonly Scope[]>(allScopes);
  const action = useAction();
  const create = () =>
    action.run(async () => {
      const { apiKey } = await callService('createKey', {
        project,
        scopes: [...granted],
        ...(user && { user }),
      });
      setUser('');
      onMade(apiKey);
    });
  const options = { project, user, scopes: granted.length < allScopes.length && granted.join(',') };
  return (
    <FormSection
      title="New key"
      empty={
        isFirst && {
          title: 'No keys yet',
          text: 'A program needs a key to call the API. It is shown once, when you create it.',
        }
      }
      action={action}
      submit="Create key"
      onSubmit={create}
      command={commandFor('key create', [], options)}
    >
      <TextField
        label="Name"
        hint="The program or person that uses it: shown here, and as the creator of its links. By default admin."
        value={user}
        onText={setUser}
      />
      <fieldset>
        <legend>Permissions</legend>
        <Checks values={allScopes} chosen={granted} onChosen={setGranted}>
          {(scope) => (
            <>
              {scopes[scope]} <code class="soft">{scope}</code>
            </>
          )}
        </Checks>
      </fieldset>
    </FormSection>
  );
};
