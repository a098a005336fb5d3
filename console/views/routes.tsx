import type { Output } from '../client.ts';
import { address } from '../format.ts';

type ShownRoutes = Output<'routes'>;

/** A branch for each kind of visitor. */
export const Routes = ({ routes, shortUrl }: { routes: ShownRoutes; shortUrl?: string }) => (
  <div class="routes">
    {shortUrl && <p class="from">{address(shortUrl)}</p>}
    <ul>
      {routes.map(({ name, url, target, why }) => (
        <li key={name}>
          <span class="who">{name}</span>
          <span class="where">
            {url === undefined ? (
              target
            ) : (
              <a href={url} target="_blank" rel="noreferrer nofollow">
                {address(url)}
              </a>
            )}
          </span>
          <span class="why">{why}</span>
        </li>
      ))}
    </ul>
  </div>
);
