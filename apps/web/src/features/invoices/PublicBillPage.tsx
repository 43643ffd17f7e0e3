import type { PublicBill } from '@lessonbook/contract/public-bill';
import { InstalmentList } from '../../components/InstalmentList.tsx';
import { PublicButton, PublicLink } from '../../components/PublicButtons.tsx';
import { PublicLayout } from '../../components/PublicLayout.tsx';
import { formatAmount, formatDateWithYear, formatShortDate } from '../../lib/format.ts';
import classes from './PublicBill.module.css';
import { PublicBillPaymentBanner, toPaymentNotice } from './PublicBillPaymentBanner.tsx';
import { PublicBillPaymentOptions } from './PublicBillPaymentOptions.tsx';
import { PublicBillTotals } from './PublicBillTotals.tsx';
import { type BillErrorKind, billPdfUrl, toBillErrorKind } from './public-bill-api.ts';
import {
  type CheckoutReturn,
  useCardCheckout,
  usePublicBill,
} from './use-public-bill-and-card-checkout.ts';

type Line = PublicBill['lines'][number];

/**
 * Lines by child and date. An invoice shows the invoiced amounts. An account shows what is outstanding or, if nothing
 * is, what was most recently paid.
 */
function BillLines({ bill: { lines, kind, state } }: { bill: PublicBill }) {
  const amountOf = (line: Line) =>
    kind === 'invoice' || state === 'paid' ? line.amount : line.outstanding;
  // The tutor's current date is unknown here, so a date shows its year only if it differs from the latest line's year.
  const latestDate =
    lines
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? '';
  const groups = groupByChild(lines);
  return groups.map(([child, childLines]) => (
    <section key={child} className={classes.child}>
      {/* The lines of a student who pays for themselves have no name, and need no heading. */}
      {groups[0]?.[0] && <h2>{child || 'Other'}</h2>}
      <ul>
        {childLines.map((line, index) => (
          <li key={index}>
            <span>
              {line.description}{' '}
              <small>
                {formatShortDate(line.date, latestDate)}
                {line.invoice && `, ${formatInvoice(line.invoice)}`}
              </small>
            </span>
            <b>{formatAmount(amountOf(line), line.currency, true)}</b>
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** 'invoice 0012, due 24 Nov 2026' */
const formatInvoice = ({ number, dueOn }: NonNullable<Line['invoice']>): string =>
  `invoice ${number}${dueOn ? `, due ${formatDateWithYear(dueOn)}` : ''}`;

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
      {notice && <PublicBillPaymentBanner {...notice} />}
      {!isDue && <InvoiceSummary bill={bill} />}
      <BillLines bill={bill} />
      <PublicBillTotals bill={bill} />
      {bill.plans.map((plan) => (
        <section key={plan.currency} className={classes.child}>
          <h2>Instalments</h2>
          <InstalmentList plan={plan} formatDate={formatDateWithYear} />
        </section>
      ))}
      {/* Hidden while a payment is pending, to prevent a second payment. */}
      {isDue && !isPending && (
        <PublicBillPaymentOptions bill={bill} token={token} checkout={checkout} />
      )}
      {isDue && !bill.card?.pending && checkoutReturn === 'late' && (
        <PublicButton secondary onClick={onRefresh}>
          Check again
        </PublicButton>
      )}
      {isDue && bill.invoice?.note && <p className={classes.note}>{bill.invoice.note}</p>}
      {bill.kind === 'invoice' && (
        <PublicLink href={billPdfUrl(token)} download>
          Download PDF
        </PublicLink>
      )}
      <Contact bill={bill} />
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

/** 'Invoice 0012, due 24 Nov 2026' */
function InvoiceSummary({ bill: { invoice, state } }: { bill: PublicBill }) {
  if (!invoice) return null;
  const { number, dueOn } = invoice;
  return (
    <p className={classes.summary}>
      Invoice {number}
      {state === 'due' && dueOn && `, due ${formatDateWithYear(dueOn)}`}
    </p>
  );
}

function Contact({ bill: { contact, tutorName } }: { bill: PublicBill }) {
  const { email, phone } = contact;
  if (!email && !phone) return null;
  return (
    <p className={classes.contact}>
      Questions? Contact {tutorName}: {email && <a href={`mailto:${email}`}>{email}</a>}
      {email && phone && ' or '}
      {phone && <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>}
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
  'invalid-link': `This ${name.toLowerCase()} link is incomplete or no longer works. Please check that you copied the whole link, or ask your tutor for a new one.`,
  'rate-limited': 'This page has been opened too many times. Please wait a minute and try again.',
  failed: "We couldn't load this page.",
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
        {checkoutReturn === 'received' && (
          <p role="status" className={classes.info}>
            Thank you for your payment. It's been added to your account as credit, and we've let
            your tutor know.
          </p>
        )}
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
