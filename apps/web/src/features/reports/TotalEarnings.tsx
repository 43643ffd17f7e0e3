import type { EarningsReport } from '@lessonbook/contract/reports';
import { money } from '../../lib/format.ts';
import { comparison, refundsInWords } from './earnings-words.ts';
import classes from './TotalEarnings.module.css';

/** One figure for each currency, the largest first. They are never added. */
export function TotalEarnings({ report }: { report: EarningsReport }) {
  const { totals, period } = report;
  return (
    <div className={classes.total}>
      <h2>Total Earnings</h2>
      {totals.length === 0 && <p className={classes.figure}>{money(0, 'GBP', true)}</p>}
      {totals.map((total) => (
        <div key={total.currency}>
          <p className={classes.figure}>{money(total.net, total.currency, true)}</p>
          {[refundsInWords(total), comparison(total, period)].map(
            (words) => words && <p key={words}>{words}</p>,
          )}
        </div>
      ))}
    </div>
  );
}
