import { codePattern } from '../../../core/links/link.ts';
import type { CallOutput } from '../../calls/client.ts';
import { Warnings } from '../../components/notice.tsx';
import { QrImage } from '../links/qr-code.tsx';
import { Routes } from './routes.tsx';
import { SocialCard } from './social-card.tsx';
import { shownShortUrl, useRouted } from './use-draft.ts';
import { VisitorPreview } from './visitor-preview.tsx';

interface RoutePreviewProps {
  readonly project: string;
  /** Empty if none is typed. */
  readonly code: string;
  readonly payload: CallOutput<'link'>['payload'];
}

/** Previews the link's routes and social card with the form's current values. */
export const RoutePreview = ({ project, code, payload }: RoutePreviewProps) => {
  const routed = useRouted({ project, code, payload });
  if (!routed) return <p aria-busy="true">…</p>;
  const isUnknown = shownShortUrl(routed.shortUrl) !== routed.shortUrl;
  return (
    <div class="stack">
      <Routes routed={routed} shortUrl={shownShortUrl(routed.shortUrl)} />
      {(payload.rules ?? []).length > 0 && <VisitorPreview draft={routed} />}
      <Warnings texts={routed.warnings} />
      <h2>Social card</h2>
      <SocialCard social={payload.social} host={isUnknown ? '' : new URL(routed.shortUrl).host} />
      <h2>QR code</h2>
      {codePattern.test(code) && !isUnknown ? (
        <QrImage project={project} shortUrl={routed.shortUrl} />
      ) : (
        <p class="soft">
          It appears as soon as there is a code: yours, or the random one once the link is saved.
        </p>
      )}
    </div>
  );
};
