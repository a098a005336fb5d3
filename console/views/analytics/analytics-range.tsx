import { useLayoutEffect, useState } from 'preact/hooks';
import { Check } from '../../components/checks.tsx';
import { type AnalyticsQuery, intervalLabels, yesterday } from './analytics-query.ts';

interface AnalyticsRangeProps {
  readonly query: AnalyticsQuery;
  readonly onQuery: (query: AnalyticsQuery) => void;
}

/** The time range of analytics: an interval, or chosen days. */
export const AnalyticsRange = ({ query, onQuery }: AnalyticsRangeProps) => {
  const { interval, days, compare } = query;
  const last = yesterday(Date.now());
  const isYesterday = days?.from === last.from && days.to === last.to;
  const isOwn = days !== undefined && !isYesterday;
  const [isAsked, setAsked] = useState(false);
  const isOpen = isOwn || isAsked;
  return (
    <div class="row">
      <fieldset class="ranges">
        <legend class="unseen">Date range</legend>
        <button type="button" aria-pressed={isYesterday} onClick={() => onQuery({ ...query, days: last })}>
          Yesterday
        </button>
        {intervalLabels.map(([one, words]) => (
          <button
            key={one}
            type="button"
            aria-pressed={!days && one === interval}
            onClick={() => onQuery({ ...query, interval: one, days: undefined })}
          >
            {words}
          </button>
        ))}
        <button type="button" aria-pressed={isOwn} aria-expanded={isOpen} onClick={() => setAsked(!isAsked)}>
          Other days
        </button>
      </fieldset>
      <div class="row">
        {isOpen && <OwnDays days={days} onDays={(chosen) => onQuery({ ...query, days: chosen })} />}
        {(days || interval !== 'all') && (
          <Check
            checked={compare}
            onCheck={(checked) => onQuery({ ...query, compare: checked, versus: undefined })}
          >
            Compare with the period before
          </Check>
        )}
      </div>
    </div>
  );
};

type Days = NonNullable<AnalyticsQuery['days']>;

const OwnDays = ({ days, onDays }: { days: Days | undefined; onDays: (days: Days) => void }) => {
  const [from, setFrom] = useState(days?.from ?? '');
  const [to, setTo] = useState(days?.to ?? '');
  // Before the paint: later it could empty what the user has typed.
  useLayoutEffect(() => {
    setFrom(days?.from ?? '');
    setTo(days?.to ?? '');
  }, [days?.from, days?.to]);
  return (
    <form
      class="days"
      aria-label="Custom days"
      onSubmit={(event) => {
        event.preventDefault();
        onDays({ from, to });
      }}
    >
      <label>
        From{' '}
        <input type="date" required value={from} onInput={({ currentTarget: { value } }) => setFrom(value)} />
      </label>
      <label>
        To{' '}
        <input
          type="date"
          required
          min={from || undefined}
          value={to}
          onInput={({ currentTarget: { value } }) => setTo(value)}
        />
      </label>
      <button type="submit" class="small">
        Show
      </button>
    </form>
  );
};
