import { useQuery } from '@tanstack/react-query';
import { Column } from '../components/Column.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { defaultMethodQuery } from '../features/cards/api.ts';
import { PaymentMethodForm } from '../features/cards/PaymentMethodForm.tsx';

export function PaymentMethodsPage() {
  const method = useQuery(defaultMethodQuery);
  return (
    <Column>
      <PageHeader
        title="Payment Methods"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      {method.data ? (
        <PaymentMethodForm saved={method.data.defaultPaymentMethod} />
      ) : (
        <Sheet>
          {method.isError ? (
            <LoadError onRetry={() => void method.refetch()}>
              Your payment methods could not be loaded.
            </LoadError>
          ) : (
            <RowSkeleton rows={2} />
          )}
        </Sheet>
      )}
    </Column>
  );
}
