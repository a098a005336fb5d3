import { Outside } from '../../components/outside.tsx';
import { address } from '../../format.ts';
import type { RoutedDraft } from './use-draft.ts';

/** A branch for each kind of visitor. */
export const Routes = ({ routes, shortUrl }: { routes: RoutedDraft['routes']; shortUrl?: string }) => (
  <div class="routes">
    {shortUrl && <p class="from">{address(shortUrl)}</p>}
    <ul>
      {routes.map(({ name, url, target, why }) => (
        <li key={name}>
          <span class="who">{name}</span>
          <span class="where clamp">{url === undefined ? target : <Outside href={url} />}</span>
          <span class="why">{why}</span>
        </li>
      ))}
    </ul>
  </div>
);
