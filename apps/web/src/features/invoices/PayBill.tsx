import type { PublicBill } from '@lessonbook/contract/bills';
import { FamilyButton, FamilyLink, FamilySheet } from '../../components/FamilySheet.tsx';
import { money, plainDate } from '../../lib/format.ts';
import { BillNotice } from './BillNotice.tsx';
import { billNotice } from './bill-notice.ts';
import type { CardReturn } from './card-return.ts';
import { PayLines } from './PayLines.tsx';
import classes from './PayPage.module.css';
import { billPdf } from './public-bill.ts';
import { useCardWay } from './use-card-way.ts';
import { WaysToPay } from './WaysToPay.tsx';

interface Props {
  bill: PublicBill;
  token: string;
  cardReturn: CardReturn | null;
  onLookAgain: () => void;
}

/** Tutor, amount, what it is for, how to pay. */
export function PayBill({ bill, token, cardReturn, onLookAgain }: Props) {
  const way = useCardWay(token);
  const isDue = bill.state === 'due';
  const isAwaited = bill.card?.pending || cardReturn === 'waiting' || cardReturn === 'late';
  const notice = billNotice(bill, cardReturn, way.refusal);
  return (
    <FamilySheet title={`Payment to ${bill.tutorName}`}>
      {isDue && <Amounts bill={bill} />}
      {notice && <BillNotice {...notice} />}
      {isDue && <PayLines bill={bill} />}
      {/* Who has paid must not be led into paying twice. */}
      {isDue && !isAwaited && <WaysToPay bill={bill} token={token} way={way} />}
      {isDue && !bill.card?.pending && cardReturn === 'late' && (
        <FamilyButton quiet onClick={onLookAgain}>
          Look again
        </FamilyButton>
      )}
      {isDue && bill.invoice?.note && <p className={classes.note}>{bill.invoice.note}</p>}
      {bill.kind === 'invoice' && (
        <FamilyLink href={billPdf(token)} download>
          Download PDF
        </FamilyLink>
      )}
    </FamilySheet>
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
      <InvoiceFacts bill={bill} />
    </>
  );
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
