import type { CallOutput } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { ColumnHeads } from '../../components/columns.tsx';
import { CommandHint } from '../../components/command.tsx';
import { Fact } from '../../components/fact.tsx';
import { KeyUse, keyName } from '../../components/key-use.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { moment, number, share } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';

type Requests = CallOutput<'requests'>;
type Key = Requests['keys'][number];

/** The use of the hourly quota by each of a project's keys. */
export const RequestsView = ({ project }: { project: string }) => {
  const found = useCall('requests', { project });
  return (
    <Page
      title="Requests"
      actions={
        <button type="button" onClick={found.reload}>
          Look again
        </button>
      }
    >
      <Loaded from={found} what="Reading the keys' use">
        {(data) =>
          data.keys.length === 0 ? (
            <Empty title="No keys yet">
              <p>Create an API key of the project. Its requests appear here.</p>
              <A href={hrefOf(['p', project, 'keys'])} class="button primary">
                Create a key
              </A>
            </Empty>
          ) : (
            <Calls {...data} />
          )
        }
      </Loaded>
      <CommandHint line={commandFor('key list', [], { project })} api="GET /1.0/usage" />
    </Page>
  );
};

const Calls = ({ keys, limit, resetAt }: Requests) => {
  const sum = (of: (key: Key) => number) => number(keys.reduce((all, key) => all + of(key), 0));
  const refused = keys.filter(({ thisHour }) => limit !== undefined && thisHour >= limit).length;
  return (
    <div class="stack">
      <dl class="totals">
        <Fact name="Calls this hour">{sum(({ thisHour }) => thisHour)}</Fact>
        <Fact name="The hour before">{sum(({ lastHour }) => lastHour)}</Fact>
        <Fact name="Keys over their limit">{number(refused)}</Fact>
      </dl>
      <p class="soft">
        {limit !== undefined && `A key may make ${number(limit)} calls an hour. `}
        The hour ends at {moment(resetAt)}. Older hours are not kept, and a call that is refused is not
        counted.
      </p>
      <table class="requests">
        <ColumnHeads
          names={[
            ['Key'],
            ['This hour', 'number'],
            ['Rate used', 'number'],
            ['The hour before', 'wide number'],
            ['State', 'wide'],
          ]}
        />
        <tbody>
          {keys.toSorted(byUse).map((key) => (
            <tr key={key.keyId}>
              <th scope="row">
                <b>{keyName(key)}</b> <code class="soft">{key.keyId}</code>
                <span class="narrow">
                  <State keyInUse={key} limit={limit} />
                </span>
              </th>
              <td class="number">{number(key.thisHour)}</td>
              <td class="number">{limit === undefined ? 'Unknown' : share(key.thisHour, limit)}</td>
              <td class="wide number">{number(key.lastHour)}</td>
              <td class="wide">
                <State keyInUse={key} limit={limit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const State = ({ keyInUse, limit }: { keyInUse: Key; limit: number | undefined }) =>
  limit !== undefined && keyInUse.thisHour >= limit ? (
    <span class="badge blocked">Refused</span>
  ) : (
    <KeyUse {...keyInUse} />
  );

const byUse = (one: Key, other: Key): number =>
  other.thisHour - one.thisHour || other.lastHour - one.lastHour || (one.keyId < other.keyId ? -1 : 1);
