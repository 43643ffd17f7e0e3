import type { PaymentFormData } from '@lessonbook/contract/payments';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { type PaymentTarget, paymentFormDataQuery } from './api.ts';
import { PaymentFields } from './PaymentFields.tsx';
import { usePaymentForm } from './payment-form.ts';

interface PaymentFormCardProps {
  formData: PaymentFormData;
  onSaved: () => void;
}

/** The form as a card on a page, without a cancel button. */
export function PaymentFormCard({ formData, onSaved }: PaymentFormCardProps) {
  const payment = usePaymentForm(formData, onSaved);
  return (
    <Card heading="Payment">
      <Form
        onSubmit={payment.onSubmit}
        submitLabel="Record payment"
        busyLabel="Saving..."
        isBusy={payment.isBusy}
      >
        <PaymentFields {...payment} />
      </Form>
    </Card>
  );
}

interface Props {
  target: PaymentTarget;
  opened: boolean;
  onClose: () => void;
}

/** Loaded lazily because of the date picker. */
export function RecordPaymentDialog({ target, opened, onClose }: Props) {
  return (
    <Dialog title="Record payment" opened={opened} onClose={onClose}>
      <PaymentLoader target={target} onClose={onClose} />
    </Dialog>
  );
}

function PaymentLoader({ target, onClose }: Omit<Props, 'opened'>) {
  const query = useQuery(paymentFormDataQuery(target));
  if (query.data) return <DialogFields formData={query.data} onClose={onClose} />;
  if (query.isPending) return <RowSkeleton rows={4} />;
  return (
    <LoadError onRetry={() => void query.refetch()}>What is owed could not be loaded.</LoadError>
  );
}

function DialogFields({ formData, onClose }: { formData: PaymentFormData; onClose: () => void }) {
  const payment = usePaymentForm(formData, onClose);
  return (
    <DialogForm
      onSubmit={payment.onSubmit}
      onCancel={onClose}
      submitLabel="Record payment"
      isBusy={payment.isBusy}
    >
      <PaymentFields {...payment} />
    </DialogForm>
  );
}
