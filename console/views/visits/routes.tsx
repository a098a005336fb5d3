import { Outside } from '../../components/external-url.tsx';
import { address } from '../../format.ts';
import { RuleBranch } from '../rules/rule-list.tsx';
import type { RoutedDraft } from './use-draft.ts';

/** A branch for each rule, and for each kind of visitor whom no rule matches. */
export const Routes = ({ routed, shortUrl }: { routed: RoutedDraft; shortUrl: string }) => {
  const { rules = [] } = routed.link.payload;
  return (
    <div class="routes">
      <p class="from">{address(shortUrl)}</p>
      {rules.length > 0 && (
        <>
          <ol>
            {rules.map((rule, i) => (
              <RuleBranch key={i} place={i + 1} rule={rule} />
            ))}
          </ol>
          <h3>If no rule matches</h3>
        </>
      )}
      <ul>
        {routed.routes.map(({ name, url, target, why }) => (
          <li key={name}>
            <span class="who">{name}</span>
            <span class="where clamp">{url === undefined ? target : <Outside href={url} />}</span>
            <span class="why">{why}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};
