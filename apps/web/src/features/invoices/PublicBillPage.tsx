import type { PublicBill } from '@lessonbook/contract/public-bill';
import { PublicButton, PublicLayout, PublicLink } from '../../components/PublicLayout.tsx';
import {
  createAmountFormatter,
  formatAmount,
  formatDateWithYear,
  formatShortDate,
} from '../../lib/format.ts';
import { PaymentBanner, toPaymentNotice } from './PaymentBanner.tsx';
import { PaymentOptions } from './PaymentOptions.tsx';
import classes from './PublicBill.module.css';
import { type BillErrorKind, billPdfUrl, toBillErrorKind } from './public-bill-api.ts';
import { type CheckoutReturn, useCardCheckout, usePublicBill } from './use-public-bill.ts';

type Line = PublicBill['lines'][number];

/** Lines by child and date. An invoice shows the invoiced amounts; an account shows the outstanding ones. */
function BillLines({ bill: { lines, kind } }: { bill: PublicBill }) {
  const amountOf = (line: Line) => (kind === 'invoice' ? line.amount : line.outstanding);
  const amount = createAmountFormatter(lines.map(amountOf));
  // The tutor's current date is unknown here, so a date shows its year only if it differs from the latest line's year.
  const latestDate =
    lines
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? '';
  return groupByChild(lines).map(([child, childLines]) => (
    <section key={child} className={classes.child}>
      <h2>{child || 'Other items'}</h2>
      <ul>
        {childLines.map((line, index) => (
          <li key={index}>
            <span>
              {line.description} <small>{formatShortDate(line.date, latestDate)}</small>
            </span>
            <b>{amount(amountOf(line), line.currency)}</b>
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** Not shared with invoice-lines.ts, which would load the contract's schemas on a public page. */
function groupByChild(lines: readonly Line[]): [child: string, lines: Line[]][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const child = line.studentName ?? '';
    groups.set(child, [...(groups.get(child) ?? []), line]);
  }
  return [...groups].toSorted(([a], [b]) => Number(a === '') - Number(b === ''));
}

interface PublicBillProps {
  bill: PublicBill;
  token: string;
  checkoutReturn: CheckoutReturn | null;
  onRefresh: () => void;
}

function PublicBillDetails({ bill, token, checkoutReturn, onRefresh }: PublicBillProps) {
  const checkout = useCardCheckout(token);
  const isDue = bill.state === 'due';
  const isPending = bill.card?.pending || checkoutReturn === 'waiting' || checkoutReturn === 'late';
  const notice = toPaymentNotice(bill, checkoutReturn, checkout.errorText);
  return (
    <PublicLayout title={`Payment to ${bill.tutorName}`}>
      {isDue && <Amounts bill={bill} />}
      {notice && <PaymentBanner {...notice} />}
      {isDue && <BillLines bill={bill} />}
      {/* Hidden while a payment is pending, to prevent a second payment. */}
      {isDue && !isPending && <PaymentOptions bill={bill} token={token} checkout={checkout} />}
      {isDue && !bill.card?.pending && checkoutReturn === 'late' && (
        <PublicButton secondary onClick={onRefresh}>
          Look again
        </PublicButton>
      )}
      {isDue && bill.invoice?.note && <p className={classes.note}>{bill.invoice.note}</p>}
      {bill.kind === 'invoice' && (
        <PublicLink href={billPdfUrl(token)} download>
          Download PDF
        </PublicLink>
      )}
    </PublicLayout>
  );
}

function Amounts({ bill }: { bill: PublicBill }) {
  return (
    <>
      <p className={classes.amounts}>
        {bill.amounts.map(({ currency, due }) => (
          <span key={currency}>{formatAmount(due, currency, true)}</span>
        ))}
      </p>
      <InvoiceSummary bill={bill} />
    </>
  );
}

/** 'Invoice 0012, due 24 Nov 2026', and any amount already paid or credited. */
function InvoiceSummary({ bill: { invoice, amounts } }: { bill: PublicBill }) {
  const currency = amounts[0]?.currency;
  if (!invoice || !currency) return null;
  const { number, dueOn, total, paid, credited } = invoice;
  const deductions = [
    paid > 0 && `${formatAmount(paid, currency, true)} is paid`,
    credited > 0 && `${formatAmount(credited, currency, true)} is taken off`,
  ].filter(Boolean);
  return (
    <p className={classes.summary}>
      Invoice {number}
      {dueOn && `, due ${formatDateWithYear(dueOn)}`}
      {deductions.length > 0 &&
        `. Of ${formatAmount(total, currency, true)}, ${deductions.join(' and ')}.`}
    </p>
  );
}

interface PublicBillErrorProps {
  name: 'Payment' | 'Invoice';
  errorKind: BillErrorKind;
  onRetry: () => void;
}

function PublicBillError({ name, errorKind, onRetry }: PublicBillErrorProps) {
  return (
    <PublicLayout title={name}>
      <p className={classes.message} role="alert">
        {errorTexts(name)[errorKind]}
      </p>
      {/* There is no point in retrying an invalid link. */}
      {errorKind !== 'invalid-link' && <PublicButton onClick={onRetry}>Try again</PublicButton>}
    </PublicLayout>
  );
}

const errorTexts = (name: PublicBillErrorProps['name']): Record<BillErrorKind, string> => ({
  'invalid-link': `This ${name.toLowerCase()} link is incomplete or no longer works. Please check that you opened the whole link, or ask your tutor for a new one.`,
  'rate-limited': 'This page was opened very often just now; please wait a minute.',
  failed: 'This page could not be loaded.',
});

interface Props {
  token: string;
  /** What the link points to. */
  name: 'Payment' | 'Invoice';
}

/** The public page behind a payment or invoice link. No login is needed. */
export function PublicBillPage({ token, name }: Props) {
  const { data: bill, error, refetch, checkoutReturn, resumePolling } = usePublicBill(token);
  if (bill?.state === 'void') {
    return (
      <PublicLayout title={`Invoice ${bill.number}`}>
        <p role="status" className={classes.message}>
          This invoice is void. There is nothing to pay.
        </p>
        <PublicLink href={billPdfUrl(token)} download>
          Download PDF
        </PublicLink>
      </PublicLayout>
    );
  }
  if (bill)
    return <PublicBillDetails {...{ bill, token, checkoutReturn }} onRefresh={resumePolling} />;
  if (error) {
    return (
      <PublicBillError
        name={name}
        errorKind={toBillErrorKind(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <PublicLayout title={name}>
      <div role="status" aria-label="Loading" className={classes.placeholder} />
    </PublicLayout>
  );
}
