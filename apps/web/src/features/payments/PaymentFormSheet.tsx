import type { PaymentStart } from '@lessonbook/contract/payments';
import { Form } from '../../components/Form.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { PaymentFields } from './PaymentFields.tsx';
import { usePaymentForm } from './use-payment-form.ts';

interface Props {
  start: PaymentStart;
  onSaved: () => void;
}

/** The form on a page, where there is nothing to cancel. */
export function PaymentFormSheet({ start, onSaved }: Props) {
  const payment = usePaymentForm(start, onSaved);
  return (
    <Sheet heading="Payment">
      <Form
        onSubmit={payment.onSubmit}
        submit="Record payment"
        busy="Saving..."
        isBusy={payment.isBusy}
      >
        <PaymentFields {...payment} />
      </Form>
    </Sheet>
  );
}
