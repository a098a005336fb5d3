import { useEffect, useRef, useState } from 'preact/hooks';
import { useCall } from '../calls/use-call.ts';
import { day, plural } from '../format.ts';

interface RecentClicksProps {
  readonly project: string;
  /** Omitted for the whole project. */
  readonly code?: string;
  /** Shows their number next to the drawing. */
  readonly hasWords?: boolean;
}

/** A small chart of the last 30 days' clicks, which is loaded when it scrolls into view. */
export const RecentClicks = ({ project, code, hasWords = false }: RecentClicksProps) => {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true));
    if (place.current) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const asked = { project, ...(code !== undefined && { code }) };
  const { data = [] } = useCall('recentClicks', isSeen ? asked : undefined, `${project} ${code}`);
  const drawn = finished(data);
  const most = Math.max(1, ...drawn.map(({ clicks }) => clicks));
  const sum = data.reduce((all, { clicks }) => all + clicks, 0);
  const last = data.findLast(({ clicks }) => clicks > 0);
  const words = `${plural(sum, 'click')} in 30 days`;
  const whole = last ? `${words}, the last on ${day(last.start.slice(0, 10))}` : words;
  return (
    <span ref={place} class="recent-clicks" title={data.length > 0 ? whole : undefined}>
      <svg viewBox={`0 0 ${Math.max(1, drawn.length - 1)} 10`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={drawn.map(({ clicks }, i) => `${i},${9.5 - (clicks / most) * 9}`).join(' ')} />
      </svg>
      {data.length > 0 && <span class={hasWords ? undefined : 'unseen'}>{hasWords ? words : whole}</span>}
    </span>
  );
};

/** Today isn't over, so it is drawn only once it exceeds yesterday. */
const finished = <Day extends { readonly clicks: number }>(days: readonly Day[]): readonly Day[] => {
  const [before, today] = days.slice(-2);
  return before && today && today.clicks <= before.clicks ? days.slice(0, -1) : days;
};
