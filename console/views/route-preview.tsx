import { useEffect, useState } from 'preact/hooks';
import type { Input } from '../client.ts';
import { useCall } from '../use-call.ts';
import { Routes } from './routes.tsx';
import { SocialCard } from './social-card.tsx';

interface RoutePreviewProps {
  readonly project: string;
  readonly payload: Record<string, unknown>;
}

/** Where the link would lead with the form's current values. */
export const RoutePreview = ({ project, payload }: RoutePreviewProps) => {
  const [settled, setSettled] = useState(payload);
  useEffect(() => {
    const later = setTimeout(() => setSettled(payload), 300);
    return () => clearTimeout(later);
  }, [payload]);
  const routes = useCall('routes', { project, payload: settled }, project);
  return (
    <aside class="stack" aria-label="Preview">
      <h2>Where it will lead</h2>
      {routes.data && <Routes routes={routes.data} />}
      <h2>Social card</h2>
      <SocialCard
        social={payload.social as Input<'createLink'>['link']['payload']['social']}
        host="short URL"
      />
    </aside>
  );
};
