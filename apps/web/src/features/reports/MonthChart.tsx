import type { CSSProperties } from 'react';
import { type ChartBar, formatBarName } from './chart-bars.ts';
import classes from './MonthChart.module.css';

interface Props {
  caption: string;
  bars: readonly ChartBar[];
  format: (value: number) => string;
}

/** With more bars than this, the amounts may not fit above them. */
const MANY_BARS = 6;

/** A table styled as a chart, so that screen readers get the same data. It always fits its card. */
export function MonthChart({ caption, bars, format }: Props) {
  const height = ({ value, booked }: ChartBar) => Math.max(0, value) + booked;
  const highest = bars.reduce((max, bar) => (height(bar) > height(max) ? bar : max));
  const largest = Math.max(1, height(highest));
  const isByYear = highest.key.length === 4;
  return (
    <div>
      <table className={classes.chart} style={{ '--count': bars.length } as CSSProperties}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{isByYear ? 'Year' : 'Month'}</th>
            <th scope="col">{caption}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr
              key={bar.key}
              data-highlighted={bar.highlighted || undefined}
              data-major={isByYear || /-0[17]$/.test(bar.key) || undefined}
            >
              <th scope="row">
                <BarName name={bar.key} />
              </th>
              <td
                style={
                  {
                    '--share': height(bar) / largest,
                    '--booked': height(bar) === 0 ? 0 : bar.booked / height(bar),
                  } as CSSProperties
                }
              >
                <span>
                  {format(bar.value + bar.booked)}
                  {bar.booked > 0 && (
                    <i className={classes.hidden}>, of which {format(bar.booked)} booked</i>
                  )}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.legend}>
        {bars.length > MANY_BARS &&
          `Most in a ${isByYear ? 'year' : 'month'}: ${format(height(highest))} in ${formatBarName(highest.key)}. `}
        {bars.some(({ booked }) => booked > 0) && 'The lighter part is booked but not yet taught.'}
      </p>
    </div>
  );
}

/** 'Nov', or 'Jan 26' at the start of a year; in full for screen readers. */
function BarName({ name }: { name: string }) {
  const full = formatBarName(name);
  if (name.length === 4) return full;
  return (
    <>
      <span aria-hidden="true">
        {full.slice(0, 3)}
        {name.endsWith('-01') && ` ${name.slice(2, 4)}`}
      </span>
      <span className={classes.hidden}>{full}</span>
    </>
  );
}
