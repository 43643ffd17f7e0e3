import type { PaymentStart } from '@lessonbook/contract/payments';
import { useQuery } from '@tanstack/react-query';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { type PaidFor, paymentStartQuery } from './api.ts';
import { PaymentFields } from './PaymentFields.tsx';
import { usePaymentForm } from './use-payment-form.ts';

interface Props {
  paidFor: PaidFor;
  opened: boolean;
  onClose: () => void;
}

/** Large with its calendar, so it is fetched when it is first wanted. */
export function RecordPaymentDialog({ paidFor, opened, onClose }: Props) {
  return (
    <Dialog title="Record payment" opened={opened} onClose={onClose}>
      <Start paidFor={paidFor} onClose={onClose} />
    </Dialog>
  );
}

function Start({ paidFor, onClose }: Omit<Props, 'opened'>) {
  const start = useQuery(paymentStartQuery(paidFor));
  if (start.data) return <DialogFields start={start.data} onClose={onClose} />;
  if (start.isPending) return <RowSkeleton rows={4} />;
  return (
    <LoadError onRetry={() => void start.refetch()}>What is owed could not be loaded.</LoadError>
  );
}

function DialogFields({ start, onClose }: { start: PaymentStart; onClose: () => void }) {
  const payment = usePaymentForm(start, onClose);
  return (
    <DialogForm
      onSubmit={payment.onSubmit}
      onCancel={onClose}
      submit="Record payment"
      isBusy={payment.isBusy}
    >
      <PaymentFields {...payment} />
    </DialogForm>
  );
}
