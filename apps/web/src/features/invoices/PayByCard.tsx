import type { PublicBill } from '@lessonbook/contract/bills';
import { FamilyButton } from '../../components/FamilySheet.tsx';
import { money } from '../../lib/format.ts';
import type { Asked } from './asked.ts';
import classes from './PayPage.module.css';

interface Props {
  amounts: PublicBill['amounts'];
  /** The one whose page is being opened. */
  opening: Asked | null;
  onPay: (asked: Asked) => void;
}

/** A button for each currency: a card pays one sum at a time. Only the first is filled. */
export function PayByCard({ amounts, opening, onPay }: Props) {
  return (
    <div className={classes.cards}>
      {amounts.map((asked, index) => (
        <FamilyButton
          key={asked.currency}
          quiet={index > 0}
          disabled={opening !== null}
          onClick={() => onPay(asked)}
        >
          {opening?.currency === asked.currency
            ? 'Opening...'
            : `Pay ${money(asked.due, asked.currency, true)} by card`}
        </FamilyButton>
      ))}
      <small>On a secure page of Stripe.</small>
    </div>
  );
}
