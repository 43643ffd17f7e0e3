import { FamilySheet } from '../../components/FamilySheet.tsx';
import { useBill } from './card-return.ts';
import { PayBill } from './PayBill.tsx';
import classes from './PayPage.module.css';
import { PayProblem } from './PayProblem.tsx';
import { problemOf } from './public-bill.ts';

interface Props {
  token: string;
  /** What the link was called when it was given: a payment or an invoice. */
  name: 'Payment' | 'Invoice';
}

/** What a family sees behind a link, signed in nowhere. */
export function PayPage({ token, name }: Props) {
  const { data: bill, error, refetch, cardReturn, lookAgain } = useBill(token);
  if (bill) return <PayBill {...{ bill, token, cardReturn }} onLookAgain={lookAgain} />;
  if (error) {
    return <PayProblem name={name} problem={problemOf(error)} onRetry={() => void refetch()} />;
  }
  return (
    <FamilySheet title={name}>
      <div role="status" aria-label="Loading" className={classes.wait} />
    </FamilySheet>
  );
}
