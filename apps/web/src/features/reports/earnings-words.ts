import type { Period } from '@lessonbook/contract/periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { money } from '../../lib/format.ts';

type Total = EarningsReport['totals'][number];

const before: Record<Period, string> = {
  last_month: 'the month before',
  this_month: 'last month',
  last_quarter: 'the quarter before',
  year_to_date: 'by this day last year',
  this_tax_year: 'last tax year',
  last_tax_year: 'the tax year before',
  all_time: '',
};

/** '£120.00 more than the month before'; all time has nothing before it. */
export function comparison(total: Total, period: Period): string | null {
  if (total.before === null || period === 'all_time') return null;
  const difference = total.net - total.before;
  if (difference === 0) return `As much as ${before[period]}`;
  const amount = money(Math.abs(difference), total.currency, true);
  return `${amount} ${difference > 0 ? 'more' : 'less'} than ${before[period]}`;
}

/** 'Received £320.00, refunded £20.00', when something was given back. */
export function refundsInWords({ received, refunded, currency }: Total): string | null {
  if (refunded === 0) return null;
  return `Received ${money(received, currency, true)}, refunded ${money(refunded, currency, true)}`;
}
