import { type CallOutput, callService, client } from '../../calls/client.ts';
import { commandFor } from '../../command-line.ts';
import { useQuestion } from '../../components/confirm.tsx';
import { Icon } from '../../components/icon.tsx';
import { announce, undo } from '../../components/notice.tsx';
import { A, hrefOf, navigate } from '../../router.tsx';

interface LinkActionsProps {
  readonly project: string;
  readonly link: CallOutput<'link'>;
  readonly reload: () => void;
}

/** The actions for a link in its state; each needs a confirmation. */
export const LinkActions = ({ project, link, reload }: LinkActionsProps) => {
  const [dialog, ask] = useQuestion(reload);
  const { code } = link;
  const named = link.name || code;
  const put = async (status: 'ACTIVE' | 'PAUSED') => {
    await callService('setLinkStatus', { project, code, status });
    reload();
  };
  const setStatus = (status: 'ACTIVE' | 'PAUSED') => {
    const isPause = status === 'PAUSED';
    ask({
      title: isPause ? `Pause ${named}?` : `Activate ${named}?`,
      body: isPause
        ? 'Visitors get the “not found” page at once, until you activate the link again.'
        : 'The link redirects again immediately.',
      action: isPause ? 'Pause' : 'Activate',
      command: commandFor(isPause ? 'link pause' : 'link activate', [code], { project }),
      api: `PUT /1.0/links/${code}/status`,
      work: async () => {
        await put(status);
        announce(
          isPause ? `${named} is paused` : `${named} is active`,
          undo(() => put(isPause ? 'ACTIVE' : 'PAUSED')),
        );
      },
    });
  };
  const remove = () =>
    ask({
      title: `Delete ${named}?`,
      body: (
        <p>
          Visitors get the 404 page immediately. This can’t be undone: the code stays taken, so that what was
          printed never leads elsewhere. Clicks stay in the project’s analytics.
        </p>
      ),
      action: 'Delete link',
      dangerous: true,
      typed: code,
      command: commandFor('link delete', [code], { project }),
      api: `DELETE /1.0/links/${code}`,
      work: async () => {
        await callService('deleteLink', { project, code });
        announce(`${named} is deleted`);
        navigate(hrefOf(['p', project]), { replace: true });
      },
    });
  const setBlocked = (block: boolean) =>
    ask({
      title: block ? `Block ${named}?` : `Unblock ${named}?`,
      body: block
        ? 'Visitors get the “not found” page at once. The project can’t bring the link back; it can only delete it.'
        : 'The link gets back the state that its project gave it.',
      action: block ? 'Block link' : 'Unblock',
      ...(block && {
        dangerous: true,
        asks: { label: 'Reason', hint: 'For operators; it is shown here and by link show.' },
      }),
      command: commandFor(block ? 'link block' : 'link unblock', [code], { project }),
      work: async (_, reason) => {
        if (block) await callService('blockLink', { project, code, ...(reason && { reason }) });
        else await callService('unblockLink', { project, code });
      },
      done: block ? `${named} is blocked` : `${named} is unblocked`,
    });
  const { offers } = client();
  const isFixed = link.blocked || link.status === 'EXPIRED';
  return (
    <>
      {!isFixed && offers('updateLink', project) && (
        <>
          <A href={hrefOf(['p', project, 'links', code, 'edit'])} class="button">
            <Icon name="pencil" /> Edit
          </A>
          {link.status === 'PAUSED' ? (
            <button type="button" onClick={() => setStatus('ACTIVE')}>
              <Icon name="play" /> Activate
            </button>
          ) : (
            <button type="button" onClick={() => setStatus('PAUSED')}>
              <Icon name="pause" /> Pause
            </button>
          )}
        </>
      )}
      {!link.blocked && offers('createLink', project) && (
        <A href={hrefOf(['p', project, 'links', '~new'], { like: code })} class="button">
          <Icon name="duplicate" /> Duplicate
        </A>
      )}
      {offers('blockLink', project) && (
        <button type="button" onClick={() => setBlocked(!link.blocked)}>
          <Icon name="ban" /> {link.blocked ? 'Unblock' : 'Block'}
        </button>
      )}
      {offers('deleteLink', project) && (
        <button type="button" onClick={remove}>
          <Icon name="trash" /> Delete
        </button>
      )}
      {dialog}
    </>
  );
};
