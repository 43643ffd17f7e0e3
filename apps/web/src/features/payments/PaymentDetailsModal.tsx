import type { PaymentDetails } from '@lessonbook/contract/payments';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useLastValue } from '../../lib/use-last-value.ts';
import { usePollRevision } from '../accounts/api.ts';
import { paymentQuery } from './api.ts';
import classes from './PaymentDetailsModal.module.css';
import { RecordedPaymentDetails } from './RecordedPaymentDetails.tsx';
import { RefundForm, type ReversalTarget, ReversePaymentForm } from './RefundAndReversalForms.tsx';

interface Props {
  /** Null while the modal is closed. */
  paymentId: number | null;
  today: string;
  /** Renders the step that sends a receipt. */
  renderReceipt: (
    payment: PaymentDetails,
    actions: { onBack: () => void; onDone: () => void },
  ) => ReactNode;
  onClose: () => void;
}

type Step =
  | { name: 'details' }
  | { name: 'receipt' }
  | { name: 'refund' }
  | ({ name: 'reverse' } & ReversalTarget);

const titles = {
  details: 'Payment',
  receipt: 'Send receipt',
  refund: 'Refund',
  reverse: 'Reverse payment?',
} as const;

const formatTitle = (step: Step): string =>
  step.name === 'reverse' && step.refundAmount !== null ? 'Reverse refund?' : titles[step.name];

/** Payment details, receipt, refund, and reversal of a payment recorded by mistake. */
export function PaymentDetailsModal({ paymentId, today, renderReceipt, onClose }: Props) {
  const lastId = useLastValue(paymentId);
  const [step, setStep] = useState<Step>({ name: 'details' });
  const opened = paymentId !== null;
  const [wasOpened, setWasOpened] = useState(opened);
  const container = useRef<HTMLDivElement>(null);
  const payment = useQuery({ ...paymentQuery(lastId ?? 0), enabled: opened });
  // The provider usually completes a refund within seconds, so poll for the result.
  usePollRevision(opened && (payment.data?.pendingRefundAmount ?? 0) > 0);

  // Resets the step on open, not on close, so that the content does not change during the closing animation.
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setStep({ name: 'details' });
  }

  function goTo(next: Step) {
    setStep(next);
    // The pressed button is unmounted along with its step.
    container.current?.focus();
  }

  return (
    <ResponsiveModal title={formatTitle(step)} opened={opened} onClose={onClose}>
      {payment.data && (
        <div ref={container} tabIndex={-1} className={classes.container}>
          <StepContent
            payment={payment.data}
            step={step}
            today={today}
            renderReceipt={renderReceipt}
            onStep={goTo}
            onDone={onClose}
          />
        </div>
      )}
      {payment.isPending && <RowSkeleton rows={3} />}
      {payment.isError && !payment.data && (
        <LoadError onRetry={() => void payment.refetch()}>We couldn't load the payment.</LoadError>
      )}
    </ResponsiveModal>
  );
}

interface StepContentProps extends Pick<Props, 'today' | 'renderReceipt'> {
  payment: PaymentDetails;
  step: Step;
  onStep: (step: Step) => void;
  onDone: () => void;
}

function StepContent({ payment, step, today, renderReceipt, onStep, onDone }: StepContentProps) {
  const back = () => onStep({ name: 'details' });
  if (step.name === 'receipt') {
    return renderReceipt(payment, { onBack: back, onDone });
  }
  if (step.name === 'refund') {
    return <RefundForm payment={payment} today={today} onBack={back} onDone={onDone} />;
  }
  if (step.name === 'reverse') {
    return <ReversePaymentForm payment={payment} target={step} onBack={back} onDone={onDone} />;
  }
  return (
    <RecordedPaymentDetails
      payment={payment}
      today={today}
      onReceipt={() => onStep({ name: 'receipt' })}
      onRefund={() => onStep({ name: 'refund' })}
      onReverse={(target) => onStep({ name: 'reverse', ...target })}
    />
  );
}
