import type { Currency } from '@lessonbook/contract/money';
import type { Period } from '@lessonbook/contract/periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { formatAmount } from '../../lib/format.ts';
import { earningsQuery } from './api.ts';
import { BreakdownTable } from './BreakdownTable.tsx';
import classes from './Earnings.module.css';
import { EarningsChart } from './EarningsChart.tsx';
import { chartMonths, formatComparison, formatRefunds } from './earnings-figures.ts';
import { PaymentList } from './PaymentList.tsx';

/** One total per currency, largest first. */
function TotalEarnings({ report }: { report: EarningsReport }) {
  const { totals, period } = report;
  return (
    <div className={classes.total}>
      <h2>Total Earnings</h2>
      {totals.length === 0 && <p className={classes.figure}>{formatAmount(0, 'GBP', true)}</p>}
      {totals.map((total) => (
        <div key={total.currency}>
          <p className={classes.figure}>{formatAmount(total.net, total.currency, true)}</p>
          {[formatRefunds(total), formatComparison(total, period)].map(
            (text) => text && <p key={text}>{text}</p>,
          )}
        </div>
      ))}
    </div>
  );
}

/** Earnings for a period: totals, chart, payments and breakdowns. */
export function Earnings({ period, today }: { period: Period; today: string }) {
  const report = useQuery(earningsQuery(period));
  // For the chart. Loaded in parallel, so that the layout does not shift.
  const allTime = useQuery(earningsQuery('all_time'));
  const isLoading = report.isPending || (report.isSuccess && allTime.isPending);
  const [selectedCurrency, setSelectedCurrency] = useState<Currency | null>(null);
  const currencies = report.data?.totals.map(({ currency }) => currency) ?? [];
  // Falls back to the largest currency if the period has no earnings in the selected one.
  const currency =
    currencies.find((candidate) => candidate === selectedCurrency) ?? currencies[0] ?? 'GBP';
  const isInCurrency = (share: { currency: string }) => share.currency === currency;
  return (
    <div className={classes.layout}>
      <Card>
        {isLoading && <RowSkeleton rows={4} />}
        {report.data && !isLoading && (
          <Figures
            report={report.data}
            allTime={allTime.data}
            currency={currency}
            onCurrencyChange={setSelectedCurrency}
            today={today}
          />
        )}
        {report.isError && !report.data && (
          <LoadError onRetry={() => void report.refetch()}>
            Your earnings could not be loaded.
          </LoadError>
        )}
      </Card>
      {/* On phones this is below the figures, so it is hidden until their height is known. */}
      <div className={classes.payments} hidden={isLoading}>
        <PaymentList key={period} period={period} today={today} />
      </div>
      {report.data && !isLoading && (
        <div className={classes.shares}>
          <BreakdownTable heading="By student" shares={report.data.students.filter(isInCurrency)} />
          <BreakdownTable heading="By subject" shares={report.data.subjects.filter(isInCurrency)} />
        </div>
      )}
    </div>
  );
}

interface FiguresProps {
  report: EarningsReport;
  allTime: EarningsReport | undefined;
  currency: Currency;
  onCurrencyChange: (currency: Currency) => void;
  today: string;
}

function Figures({ report, allTime, currency, onCurrencyChange, today }: FiguresProps) {
  const months = chartMonths(report, allTime, currency, today);
  return (
    <>
      <TotalEarnings report={report} />
      {report.totals.length > 1 && (
        <div className={classes.currencies}>
          <SegmentedControl
            label="Currency"
            manualActivation
            value={currency}
            options={report.totals.map((total) => ({
              value: total.currency,
              label: total.currency,
            }))}
            onChange={onCurrencyChange}
          />
        </div>
      )}
      {months.length > 1 && <EarningsChart months={months} currency={currency} />}
    </>
  );
}
