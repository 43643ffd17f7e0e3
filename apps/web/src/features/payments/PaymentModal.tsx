import type { PaymentDetails } from '@lessonbook/contract/payments';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useLastValue } from '../../lib/use-last-value.ts';
import { usePollRevision } from '../accounts/api.ts';
import { paymentQuery } from './api.ts';
import { PaymentDetailsStep } from './PaymentDetailsStep.tsx';
import classes from './PaymentModal.module.css';
import { RefundForm, type ReversalTarget, ReversePaymentForm } from './PaymentReversals.tsx';

interface Props {
  /** None while the sheet is closed. */
  paymentId: number | null;
  today: string;
  /** The step that sends a receipt. */
  receipt: (payment: PaymentDetails, way: { onBack: () => void; onDone: () => void }) => ReactNode;
  onClose: () => void;
}

type Step =
  | { name: 'facts' }
  | { name: 'receipt' }
  | { name: 'refund' }
  | ({ name: 'take back' } & ReversalTarget);

const titles = {
  facts: 'Payment',
  receipt: 'Send receipt',
  refund: 'Refund',
  'take back': 'Take back?',
} as const;

/** What a payment covered, its receipt, and the two ways to undo it: money given back, or a mistake taken back. */
export function PaymentModal({ paymentId, today, receipt, onClose }: Props) {
  const last = useLastValue(paymentId);
  const [step, setStep] = useState<Step>({ name: 'facts' });
  const opened = paymentId !== null;
  const [wasOpened, setWasOpened] = useState(opened);
  const place = useRef<HTMLDivElement>(null);
  const payment = useQuery({ ...paymentQuery(last ?? 0), enabled: opened });
  // The provider gives the money back in seconds, as a rule: the tutor sees it done.
  usePollRevision(opened && (payment.data?.refundsWaiting ?? 0) > 0);

  // Begins anew when it opens, not when it closes: its words must not change on the way out.
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setStep({ name: 'facts' });
  }

  function go(next: Step) {
    setStep(next);
    // The button that was pressed is gone with its step.
    place.current?.focus();
  }

  return (
    <ResponsiveModal title={titles[step.name]} opened={opened} onClose={onClose}>
      {payment.data && (
        <div ref={place} tabIndex={-1} className={classes.place}>
          <Content
            payment={payment.data}
            step={step}
            today={today}
            receipt={receipt}
            onStep={go}
            onDone={onClose}
          />
        </div>
      )}
      {payment.isPending && <RowSkeleton rows={3} />}
      {payment.isError && !payment.data && (
        <LoadError onRetry={() => void payment.refetch()}>
          The payment could not be loaded.
        </LoadError>
      )}
    </ResponsiveModal>
  );
}

interface ContentProps extends Pick<Props, 'today' | 'receipt'> {
  payment: PaymentDetails;
  step: Step;
  onStep: (step: Step) => void;
  onDone: () => void;
}

function Content({ payment, step, today, receipt, onStep, onDone }: ContentProps) {
  const back = () => onStep({ name: 'facts' });
  if (step.name === 'receipt') {
    return receipt(payment, { onBack: back, onDone });
  }
  if (step.name === 'refund') {
    return <RefundForm payment={payment} today={today} onBack={back} onDone={onDone} />;
  }
  if (step.name === 'take back') {
    return <ReversePaymentForm payment={payment} what={step} onBack={back} onDone={onDone} />;
  }
  return (
    <PaymentDetailsStep
      payment={payment}
      today={today}
      onReceipt={() => onStep({ name: 'receipt' })}
      onRefund={() => onStep({ name: 'refund' })}
      onTakeBack={(what) => onStep({ name: 'take back', ...what })}
    />
  );
}
