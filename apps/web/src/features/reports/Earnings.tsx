import type { Currency } from '@lessonbook/contract/money';
import type { ListedPayment } from '@lessonbook/contract/payments';
import type { EarningsReport, ReportQuery } from '@lessonbook/contract/reports';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import {
  createColumnAmountFormatter,
  formatAmount,
  formatList,
  formatShortDate,
} from '../../lib/format.ts';
import { earningsQuery, paymentsQuery } from './api.ts';
import { BreakdownTable } from './BreakdownTable.tsx';
import { earningsBars } from './chart-bars.ts';
import {
  compareEarnings,
  formatAmounts,
  formatBooked,
  formatRefunds,
} from './format-report-figures.ts';
import { MonthChart } from './MonthChart.tsx';
import classes from './Report.module.css';

interface Props {
  query: ReportQuery;
  today: string;
}

/** Money received in a period: totals, chart, payments and breakdowns. */
export function Earnings({ query, today }: Props) {
  const report = useQuery(earningsQuery(query));
  // For the chart. Loaded in parallel, so that the layout does not shift.
  const allTime = useQuery(earningsQuery(toAllTime(query)));
  const isLoading = report.isPending || (report.isSuccess && allTime.isPending);
  const [selectedCurrency, setSelectedCurrency] = useState<Currency | null>(null);
  const currencies = report.data?.totals.map(({ currency }) => currency) ?? [];
  // Falls back to the largest currency if the period has no earnings in the selected one.
  const currency =
    currencies.find((candidate) => candidate === selectedCurrency) ?? currencies[0] ?? 'GBP';
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
            We couldn't load your earnings.
          </LoadError>
        )}
      </Card>
      {report.data && !isLoading && (
        <div className={classes.shares}>
          {!report.data.student && (
            <BreakdownTable by="student" rows={toRows(report.data.students, currency)} />
          )}
          {!report.data.subject && (
            <BreakdownTable by="subject" rows={toRows(report.data.subjects, currency)} />
          )}
        </div>
      )}
      {/* On phones this is below the figures, so it is hidden until their height is known. */}
      <div className={classes.list} hidden={isLoading}>
        <PaymentList key={JSON.stringify(query)} query={query} today={today} />
      </div>
    </div>
  );
}

const toAllTime = ({ studentId, subjectId }: ReportQuery): ReportQuery => ({
  period: 'all_time',
  ...(studentId !== undefined && { studentId }),
  ...(subjectId !== undefined && { subjectId }),
});

function toRows(shares: EarningsReport['students'], currency: Currency) {
  const inCurrency = shares.filter((share) => share.currency === currency);
  const format = createColumnAmountFormatter(inCurrency.map(({ net }) => net));
  return inCurrency.map(({ id, name, net }) => ({
    id,
    name,
    value: net,
    text: format(net, currency),
  }));
}

interface FiguresProps {
  report: EarningsReport;
  allTime: EarningsReport | undefined;
  currency: Currency;
  onCurrencyChange: (currency: Currency) => void;
  today: string;
}

function Figures({ report, allTime, currency, onCurrencyChange, today }: FiguresProps) {
  const bars = earningsBars(report, allTime, currency, today);
  const format = createColumnAmountFormatter(bars.map(({ value }) => value));
  const { totals, booked, writtenOff } = report;
  return (
    <>
      <TotalEarnings report={report} />
      {booked.lessons > 0 && (
        <p className={classes.note}>
          Still booked in this period: {formatBooked(booked)}. This is a forecast and is not in the
          total.
        </p>
      )}
      {writtenOff.length > 0 && (
        <p className={classes.note}>
          Written off in this period: {formatAmounts(writtenOff)}. This is not in the total.
        </p>
      )}
      {totals.length > 1 && (
        <div className={classes.currencies}>
          <SegmentedControl
            label="Currency"
            manualActivation
            value={currency}
            options={totals.map((total) => ({ value: total.currency, label: total.currency }))}
            onChange={onCurrencyChange}
          />
        </div>
      )}
      {bars.length > 1 && (
        <MonthChart
          caption="Earnings by month"
          bars={bars}
          format={(value) => format(value, currency)}
        />
      )}
    </>
  );
}

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
          {[formatRefunds(total), compareEarnings(total, period)].map(
            (text) => text && <p key={text}>{text}</p>,
          )}
        </div>
      ))}
      <p>
        {report.student || report.subject
          ? 'Payments received in this period for these lessons, less refunds.'
          : 'Payments you received in this period, less refunds.'}
      </p>
    </div>
  );
}

/** Payments and refunds in the period, newest first. Each row links to the payer's account. */
function PaymentList({ query, today }: Props) {
  const list = useInfiniteQuery(paymentsQuery(query));
  const payments = list.data?.pages.flat() ?? [];
  const format = createColumnAmountFormatter(
    payments.map((payment) => payment.share ?? payment.amount),
  );
  return (
    <Card heading="Payments">
      {list.isPending && <RowSkeleton rows={4} />}
      {list.isError && (
        <LoadError onRetry={() => void list.refetch()}>We couldn't load your payments.</LoadError>
      )}
      {list.isSuccess && payments.length === 0 && (
        <EmptyState illustration={<Illustration name="pay" size={88} />}>
          No payments found
        </EmptyState>
      )}
      <ul>
        {payments.map((payment) => (
          <LinkRowWithAmount
            key={payment.id}
            to="/families/$id"
            params={{ id: String(payment.familyId) }}
            name={formatPaymentTitle(payment)}
            description={describePayment(payment, today)}
            amount={format(payment.share ?? payment.amount, payment.currency)}
            amountDetail={formatWholePayment(payment)}
          />
        ))}
      </ul>
      <ShowMore list={list} />
    </Card>
  );
}

/** 'of £70', if only part of the payment belongs to the report. */
const formatWholePayment = ({ share, amount, currency }: ListedPayment): string | null =>
  share === null || share === amount ? null : `of ${formatAmount(amount, currency)}`;

/** The students whose lessons the payment is for, or the payer if it has not been allocated yet. */
const formatPaymentTitle = ({ students, familyName }: ListedPayment): string =>
  students.length > 0 ? formatList(students) : familyName;

/** 'Tue 17 Nov, Ruth Hale'. The payer is omitted if already shown above. */
function describePayment(payment: ListedPayment, today: string): string {
  const { kind, paymentDate, familyName } = payment;
  return [
    kind === 'refund' && 'Refund',
    kind === 'dispute' && 'Disputed payment',
    formatShortDate(paymentDate, today),
    formatPaymentTitle(payment) !== familyName && familyName,
  ]
    .filter(Boolean)
    .join(', ');
}
