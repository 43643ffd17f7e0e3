import type { Currency } from '@lessonbook/contract/money';
import { type CSSProperties, useEffect, useRef } from 'react';
import { createAmountFormatter, formatMonthYear } from '../../lib/format.ts';
import classes from './EarningsChart.module.css';
import type { ChartMonth } from './earnings-figures.ts';

interface Props {
  months: readonly ChartMonth[];
  currency: Currency;
}

/** A table styled as a chart, so that screen readers get the same data. */
export function EarningsChart({ months, currency }: Props) {
  const amount = createAmountFormatter(months.map(({ net }) => net));
  const largest = Math.max(1, ...months.map(({ net }) => net));
  const scroller = useScrollToLatest(months.length);
  return (
    <div
      ref={scroller}
      className={classes.scroll}
      role="region"
      aria-label="By month"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- many years scroll, also by keyboard
      tabIndex={0}
    >
      <table className={classes.chart} style={{ '--count': months.length } as CSSProperties}>
        <caption>Earnings by month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Earnings</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, net, highlighted }) => (
            <tr key={month} data-highlighted={highlighted || undefined}>
              <th scope="row">
                <MonthName month={month} withYear={month.endsWith('-01')} />
              </th>
              <td style={{ '--share': Math.max(0, net) / largest } as CSSProperties}>
                <span>{amount(net, currency)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** 'Nov', or 'Jan 26' at the start of a year; in full for screen readers. */
function MonthName({ month, withYear }: { month: string; withYear: boolean }) {
  const full = formatMonthYear(`${month}-01`);
  return (
    <>
      <span aria-hidden="true">
        {full.slice(0, 3)}
        {withYear && ` ${month.slice(2, 4)}`}
      </span>
      <span className={classes.hidden}>{full}</span>
    </>
  );
}

/** Scrolls to the latest months. */
function useScrollToLatest(count: number) {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroller.current && count > 0) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [count]);
  return scroller;
}
