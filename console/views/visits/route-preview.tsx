import { useEffect, useState } from 'preact/hooks';
import type { CallOutput } from '../../calls/port.ts';
import { useCall } from '../../calls/use-call.ts';
import { Warnings } from '../../components/notice.tsx';
import { Routes } from './routes.tsx';
import { SocialCard } from './social-card.tsx';
import { WhoGoes } from './who-goes.tsx';

interface RoutePreviewProps {
  readonly project: string;
  /** Empty while none is typed. */
  readonly code: string;
  readonly payload: Record<string, unknown>;
}

/** Where the link would lead with the form's current values. */
export const RoutePreview = ({ project, code, payload }: RoutePreviewProps) => {
  const [settled, setSettled] = useState({ code, payload });
  useEffect(() => {
    const later = setTimeout(() => setSettled({ code, payload }), 300);
    return () => clearTimeout(later);
  }, [code, payload]);
  // What is shown isn't yet of what is typed.
  const isBehind = settled.code !== code || settled.payload !== payload;
  const routes = useCall('routes', { project, ...settled }, project);
  const hasRules = Array.isArray(settled.payload.rules) && settled.payload.rules.length > 0;
  return (
    <div class="stack" aria-busy={isBehind}>
      {hasRules && (
        <>
          <WhoGoes project={project} {...settled} />
          <h3>If no rule holds</h3>
        </>
      )}
      {routes.data && <Routes {...routes.data} />}
      {routes.data && <Warnings texts={routes.data.warnings} />}
      <h2>Social card</h2>
      <SocialCard
        social={payload.social as CallOutput<'link'>['payload']['social']}
        host={routes.data ? new URL(routes.data.shortUrl).host : ''}
      />
    </div>
  );
};
