import type { PublicBill } from '@lessonbook/contract/bills';
import { FamilySheet } from '../../components/FamilySheet.tsx';
import { money, plainDate } from '../../lib/format.ts';
import { BankBlock } from './BankBlock.tsx';
import { ClaimTransfer } from './ClaimTransfer.tsx';
import { PayLines } from './PayLines.tsx';
import classes from './PayPage.module.css';
import { billPdf } from './public-bill.ts';

/** Tutor, amount, what it is for, how to pay. */
export function PayBill({ bill, token }: { bill: PublicBill; token: string }) {
  const title = `Payment to ${bill.tutorName}`;
  const pdf = bill.kind === 'invoice' && (
    <a className={classes.quiet} href={billPdf(token)} download>
      Download PDF
    </a>
  );
  if (bill.state !== 'due') {
    return (
      <FamilySheet title={title}>
        <p className={classes.sentence}>{settled(bill)}</p>
        {pdf}
      </FamilySheet>
    );
  }
  return (
    <FamilySheet title={title}>
      <p className={classes.amounts}>
        {bill.amounts.map(({ currency, due }) => (
          <span key={currency}>{money(due, currency, true)}</span>
        ))}
      </p>
      <InvoiceFacts bill={bill} />
      <PayLines bill={bill} />
      {bill.bank ? (
        <>
          <BankBlock bank={bill.bank} amounts={bill.amounts} reference={bill.reference} />
          <ClaimTransfer token={token} tutorName={bill.tutorName} claimedOn={bill.claimedOn} />
        </>
      ) : (
        <p className={classes.ask}>Ask {bill.tutorName} how to pay.</p>
      )}
      {bill.invoice?.note && <p className={classes.note}>{bill.invoice.note}</p>}
      {pdf}
    </FamilySheet>
  );
}

function settled({ state, tutorName, invoice }: PublicBill): string {
  if (state === 'void') {
    return `${tutorName} has cancelled invoice ${invoice?.number ?? ''}; there is nothing to pay.`;
  }
  return 'Nothing to pay. Thank you.';
}

/** 'Invoice 0012, due 24 Nov 2026', and what was paid of it before. */
function InvoiceFacts({ bill: { invoice, amounts } }: { bill: PublicBill }) {
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
