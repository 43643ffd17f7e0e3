import type { PublicBill } from '@lessonbook/contract/bills';
import { BankBlock } from './BankBlock.tsx';
import { ClaimTransfer } from './ClaimTransfer.tsx';
import { PayByCard } from './PayByCard.tsx';
import classes from './PayPage.module.css';
import type { CardWay } from './use-card-way.ts';

interface Props {
  bill: PublicBill;
  token: string;
  way: CardWay;
}

/** The card first where the tutor takes cards, then the bank; a card that fails leaves the bank as it is. */
export function WaysToPay({ bill, token, way }: Props) {
  const { bank, card, amounts, tutorName } = bill;
  return (
    <>
      {card && <PayByCard amounts={amounts} opening={way.opening} onPay={way.pay} />}
      {way.refusal && (
        <p className={classes.refusal} role="alert">
          {way.refusal}
        </p>
      )}
      {bank && (
        <>
          <BankBlock
            heading={card ? 'Or pay by bank transfer' : 'Pay by bank transfer'}
            bank={bank}
            amounts={amounts}
            reference={bill.reference}
          />
          <ClaimTransfer
            token={token}
            tutorName={tutorName}
            claimedOn={bill.claimedOn}
            quiet={card !== null}
          />
        </>
      )}
      {!bank && !card && <p className={classes.ask}>Ask {tutorName} how to pay.</p>}
    </>
  );
}
