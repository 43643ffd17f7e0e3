import type { PublicBill } from '@lessonbook/contract/public-invoice';
import { PublicButton, PublicLayout, PublicLink } from '../../components/PublicLayout.tsx';
import { money, moneyColumn, plainDate, shortDate } from '../../lib/format.ts';
import { PaymentBanner, toPaymentNotice } from './PaymentBanner.tsx';
import { PaymentOptions } from './PaymentOptions.tsx';
import classes from './PublicBill.module.css';
import { type BillErrorKind, billPdfUrl, toBillErrorKind } from './public-bill-api.ts';
import { type CheckoutReturn, useCardCheckout, usePublicBill } from './use-public-bill.ts';

type Line = PublicBill['lines'][number];

/** What it is for, by child and date. An invoice shows what it asked for, an account what is still open. */
function BillLines({ bill: { lines, kind } }: { bill: PublicBill }) {
  const amountOf = (line: Line) => (kind === 'invoice' ? line.amount : line.outstanding);
  const amount = moneyColumn(lines.map(amountOf));
  // There is no tutor's today here; the latest lesson says which year goes without saying.
  const latest =
    lines
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? '';
  return groupByChild(lines).map(([child, own]) => (
    <section key={child} className={classes.child}>
      <h2>{child || 'Other items'}</h2>
      <ul>
        {own.map((line, index) => (
          <li key={index}>
            <span>
              {line.description} <small>{shortDate(line.date, latest)}</small>
            </span>
            <b>{amount(amountOf(line), line.currency)}</b>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function groupByChild(lines: readonly Line[]): [child: string, lines: Line[]][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const child = line.studentName ?? '';
    groups.set(child, [...(groups.get(child) ?? []), line]);
  }
  return [...groups].toSorted(([one], [other]) => Number(one === '') - Number(other === ''));
}

interface PublicBillProps {
  bill: PublicBill;
  token: string;
  cardReturn: CheckoutReturn | null;
  onRefresh: () => void;
}

/** Tutor, amount, what it is for, how to pay. */
function PublicBillDetails({ bill, token, cardReturn, onRefresh }: PublicBillProps) {
  const checkout = useCardCheckout(token);
  const isDue = bill.state === 'due';
  const isAwaited = bill.card?.pending || cardReturn === 'waiting' || cardReturn === 'late';
  const notice = toPaymentNotice(bill, cardReturn, checkout.refusal);
  return (
    <PublicLayout title={`Payment to ${bill.tutorName}`}>
      {isDue && <Amounts bill={bill} />}
      {notice && <PaymentBanner {...notice} />}
      {isDue && <BillLines bill={bill} />}
      {/* Who has paid must not be led into paying twice. */}
      {isDue && !isAwaited && <PaymentOptions bill={bill} token={token} checkout={checkout} />}
      {isDue && !bill.card?.pending && cardReturn === 'late' && (
        <PublicButton quiet onClick={onRefresh}>
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
          <span key={currency}>{money(due, currency, true)}</span>
        ))}
      </p>
      <InvoiceSummary bill={bill} />
    </>
  );
}

/** 'Invoice 0012, due 24 Nov 2026', and what was paid of it before. */
function InvoiceSummary({ bill: { invoice, amounts } }: { bill: PublicBill }) {
  const currency = amounts[0]?.currency;
  if (!invoice || !currency) return null;
  const { number, dueOn, total, paid, credited } = invoice;
  const before = [
    paid > 0 && `${money(paid, currency, true)} is paid`,
    credited > 0 && `${money(credited, currency, true)} is taken off`,
  ].filter(Boolean);
  return (
    <p className={classes.facts}>
      Invoice {number}
      {dueOn && `, due ${plainDate(dueOn)}`}
      {before.length > 0 && `. Of ${money(total, currency, true)}, ${before.join(' and ')}.`}
    </p>
  );
}

interface PublicBillErrorProps {
  name: 'Payment' | 'Invoice';
  problem: BillErrorKind;
  onRetry: () => void;
}

/** One sentence and one way on. */
function PublicBillError({ name, problem, onRetry }: PublicBillErrorProps) {
  return (
    <PublicLayout title={name}>
      <p className={classes.sentence} role="alert">
        {errorTexts(name)[problem]}
      </p>
      {/* Trying a wrong link again helps nobody. */}
      {problem !== 'unknown' && <PublicButton onClick={onRetry}>Try again</PublicButton>}
    </PublicLayout>
  );
}

const errorTexts = (name: PublicBillErrorProps['name']): Record<BillErrorKind, string> => ({
  unknown: `This ${name.toLowerCase()} link is not valid; please ask your tutor for a new one.`,
  busy: 'This page was opened very often just now; please wait a minute.',
  failed: 'This page could not be loaded.',
});

interface Props {
  token: string;
  /** What the link was called when it was given: a payment or an invoice. */
  name: 'Payment' | 'Invoice';
}

/** What a family sees behind a link, signed in nowhere. */
export function PublicBillPage({ token, name }: Props) {
  const { data: bill, error, refetch, cardReturn, lookAgain } = usePublicBill(token);
  if (bill) return <PublicBillDetails {...{ bill, token, cardReturn }} onRefresh={lookAgain} />;
  if (error) {
    return (
      <PublicBillError
        name={name}
        problem={toBillErrorKind(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <PublicLayout title={name}>
      <div role="status" aria-label="Loading" className={classes.wait} />
    </PublicLayout>
  );
}
