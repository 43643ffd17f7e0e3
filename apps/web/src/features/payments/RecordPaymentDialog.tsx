import type { PaymentFormData } from '@lessonbook/contract/payments';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { type PaymentTarget, paymentStartQuery } from './api.ts';
import { PaymentFields } from './PaymentFields.tsx';
import { usePaymentForm } from './payment-form.ts';

interface PaymentFormCardProps {
  start: PaymentFormData;
  onSaved: () => void;
}

/** The form on a page, where there is nothing to cancel. */
export function PaymentFormCard({ start, onSaved }: PaymentFormCardProps) {
  const payment = usePaymentForm(start, onSaved);
  return (
    <Card heading="Payment">
      <Form
        onSubmit={payment.onSubmit}
        submit="Record payment"
        busy="Saving..."
        isBusy={payment.isBusy}
      >
        <PaymentFields {...payment} />
      </Form>
    </Card>
  );
}

interface Props {
  paidFor: PaymentTarget;
  opened: boolean;
  onClose: () => void;
}

/** Large with its calendar, so it is fetched when it is first wanted. */
export function RecordPaymentDialog({ paidFor, opened, onClose }: Props) {
  return (
    <Dialog title="Record payment" opened={opened} onClose={onClose}>
      <PaymentLoader paidFor={paidFor} onClose={onClose} />
    </Dialog>
  );
}

function PaymentLoader({ paidFor, onClose }: Omit<Props, 'opened'>) {
  const start = useQuery(paymentStartQuery(paidFor));
  if (start.data) return <DialogFields start={start.data} onClose={onClose} />;
  if (start.isPending) return <RowSkeleton rows={4} />;
  return (
    <LoadError onRetry={() => void start.refetch()}>What is owed could not be loaded.</LoadError>
  );
}

function DialogFields({ start, onClose }: { start: PaymentFormData; onClose: () => void }) {
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
