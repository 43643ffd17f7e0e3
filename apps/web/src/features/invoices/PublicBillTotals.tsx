import { HOLD_REASON_LABELS } from '@lessonbook/contract/invoice-labels';
import { formatDateAndMethod } from '@lessonbook/contract/payment-method-labels';
import type { PublicBill } from '@lessonbook/contract/public-bill';
import { formatAmount, formatDateWithYear } from '../../lib/format.ts';
import classes from './PublicBill.module.css';

type Payment = PublicBill['payments'][number];

/** '£147.00 paid on 16 Nov 2026 by card' */
const formatPayment = ({ amount, currency, date, method }: Payment): string =>
  `${formatAmount(amount, currency, true)} paid ${formatDateAndMethod(formatDateWithYear(date), method)}`;

/** How the lines add up: what was credited and paid, and what is left. Empty until there is a credit or a payment. */
export function PublicBillTotals({ bill }: { bill: PublicBill }) {
  const { invoice, payments, onHold, amounts } = bill;
  const currency = bill.lines[0]?.currency;
  if (!currency || (payments.length === 0 && onHold.length === 0 && !invoice?.credited))
    return null;
  // Amounts that were no longer owed when the invoice was issued have no credit note.
  const otherCredit =
    (invoice?.credited ?? 0) -
    (invoice?.writtenOff ?? 0) -
    (invoice?.creditNotes.reduce((sum, creditNote) => sum + creditNote.total, 0) ?? 0);
  const due = amounts.find((amount) => amount.currency === currency)?.due ?? 0;
  return (
    <ul className={classes.totals}>
      {invoice && <Row label="Total" amount={formatAmount(invoice.total, currency, true)} />}
      {invoice?.creditNotes.map(({ number, total, reason }) => (
        <Row
          key={number}
          label={`Credit note ${number}${reason ? ` (${reason})` : ''}`}
          amount={`−${formatAmount(total, currency, true)}`}
        />
      ))}
      {otherCredit > 0 && (
        <Row label="No longer owed" amount={`−${formatAmount(otherCredit, currency, true)}`} />
      )}
      {!!invoice?.writtenOff && (
        <Row label="Written off" amount={`−${formatAmount(invoice.writtenOff, currency, true)}`} />
      )}
      {payments.map((payment, index) => (
        <li key={index}>{formatPayment(payment)}</li>
      ))}
      {onHold.map(({ amount, currency: heldCurrency, reason }) => (
        <Row
          key={`${heldCurrency} ${reason}`}
          label={HOLD_REASON_LABELS[reason]}
          amount={formatAmount(amount, heldCurrency, true)}
        />
      ))}
      {invoice && <Row label="To pay" amount={formatAmount(due, currency, true)} />}
    </ul>
  );
}

const Row = ({ label, amount }: { label: string; amount: string }) => (
  <li>
    <span>{label}</span>
    <b>{amount}</b>
  </li>
);
