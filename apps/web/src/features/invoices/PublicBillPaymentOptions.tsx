import type { BankDetails } from '@lessonbook/contract/business-settings';
import { toMajor } from '@lessonbook/contract/money';
import type { PublicBill } from '@lessonbook/contract/public-bill';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { formatAmount, formatDateWithYear, formatList } from '../../lib/format.ts';
import { toBankDetailRows } from './bank-detail-rows.ts';
import classes from './PublicBill.module.css';
import type { CheckoutAmount } from './public-bill-api.ts';
import { useReportTransfer, useWithdrawTransferReport } from './public-bill-api.ts';
import type { CardCheckout } from './use-public-bill-and-card-checkout.ts';

interface BankTransferDetailsProps {
  heading: string;
  bank: BankDetails;
  amounts: PublicBill['amounts'];
  reference: string;
}

/** The details that a bank's transfer form asks for, each with a copy button. */
function BankTransferDetails({ heading, bank, amounts, reference }: BankTransferDetailsProps) {
  const rows = [
    ...toBankDetailRows(bank).map((row) => ({ ...row, copyText: row.value })),
    ...amounts.map(({ currency, due }) => ({
      name: amounts.length > 1 ? `Amount in ${currency}` : 'Amount',
      value: formatAmount(due, currency, true),
      // Bank forms accept the amount without a currency symbol.
      copyText: toMajor(due).toFixed(2),
    })),
    { name: 'Reference', value: reference, copyText: reference },
  ];
  return (
    <section className={classes.bank} aria-labelledby="bank">
      <h2 id="bank">{heading}</h2>
      <dl>
        {rows.map(({ name, value, copyText }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span>{value}</span>
              <CopyButton text={copyText} itemName={name} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ReportTransferProps {
  token: string;
  bill: PublicBill;
}

/** Lets the payer report a transfer. This does not mark the bill as paid; the tutor records the payment. */
function ReportTransfer({ token, bill }: ReportTransferProps) {
  const { tutorName, claimedOn, amounts, card } = bill;
  const [isConfirming, setConfirming] = useState(false);
  const reportTransfer = useReportTransfer(token);
  const withdraw = useWithdrawTransferReport(token);
  const total = formatList(amounts.map(({ due, currency }) => formatAmount(due, currency, true)));
  if (claimedOn) {
    return (
      <div role="status" className={classes.confirm}>
        <p className={classes.success}>
          <IconCheck size={20} stroke={2.4} />
          <span>
            Thanks. We've let {tutorName} know your transfer is on its way (
            {formatDateWithYear(claimedOn)}).
          </span>
        </p>
        <PublicButton secondary disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          I haven't sent it yet
        </PublicButton>
      </div>
    );
  }
  if (!isConfirming) {
    return (
      <PublicButton secondary={card !== null} onClick={() => setConfirming(true)}>
        I've paid by bank transfer
      </PublicButton>
    );
  }
  return (
    <div className={classes.confirm}>
      <p role="status">
        Have you sent {total} to {tutorName}?
      </p>
      <PublicButton
        disabled={reportTransfer.isPending}
        onClick={() => reportTransfer.mutate(undefined, { onSuccess: () => setConfirming(false) })}
      >
        {reportTransfer.isPending ? 'Saving...' : "I've sent it"}
      </PublicButton>
      <PublicButton secondary onClick={() => setConfirming(false)}>
        Not yet
      </PublicButton>
    </div>
  );
}

interface PayByCardProps {
  amounts: PublicBill['amounts'];
  /** The amount whose checkout page is being opened. */
  pendingAmount: CheckoutAmount | null;
  /** True if the payer has reported a transfer, so that paying again is not the main action. */
  isSecondary: boolean;
  onPay: (amount: CheckoutAmount) => void;
}

/** One button per currency, because a checkout pays a single amount. Only the first is filled. */
function PayByCard({ amounts, pendingAmount, isSecondary, onPay }: PayByCardProps) {
  return (
    <div className={classes.cards}>
      {amounts.map((amount, index) => (
        <PublicButton
          key={amount.currency}
          secondary={isSecondary || index > 0}
          disabled={pendingAmount !== null}
          onClick={() => onPay(amount)}
        >
          {pendingAmount?.currency === amount.currency
            ? 'Opening...'
            : `Pay ${formatAmount(amount.due, amount.currency, true)} by card`}
        </PublicButton>
      ))}
      <small>You'll pay securely with Stripe.</small>
    </div>
  );
}

interface Props {
  bill: PublicBill;
  token: string;
  checkout: CardCheckout;
}

/** Card first if the tutor accepts cards, then bank transfer, which remains available if the card fails. */
export function PublicBillPaymentOptions({ bill, token, checkout }: Props) {
  const { bank, card, amounts, tutorName, paymentInstructions } = bill;
  return (
    <>
      {card && (
        <PayByCard
          amounts={amounts}
          pendingAmount={checkout.pendingAmount}
          isSecondary={bill.claimedOn !== null}
          onPay={checkout.pay}
        />
      )}
      {checkout.errorText && (
        <p className={classes.error} role="alert">
          {checkout.errorText}
        </p>
      )}
      {bank && (
        <>
          <BankTransferDetails
            heading={card ? 'Or pay by bank transfer' : 'Pay by bank transfer'}
            bank={bank}
            amounts={amounts}
            reference={bill.reference}
          />
          <ReportTransfer token={token} bill={bill} />
        </>
      )}
      {paymentInstructions && (
        <p className={classes.info}>
          {card || bank ? 'Or: ' : ''}
          {paymentInstructions}
        </p>
      )}
      {!bank && !card && !paymentInstructions && (
        <p className={classes.info}>Ask {tutorName} how to pay.</p>
      )}
    </>
  );
}
