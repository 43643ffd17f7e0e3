import { useQuery } from '@tanstack/react-query';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { defaultMethodQuery } from '../features/cards/api.ts';
import { DefaultPaymentMethodForm } from '../features/cards/DefaultPaymentMethodForm.tsx';

export function PaymentMethodsPage() {
  const method = useQuery(defaultMethodQuery);
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      {method.data ? (
        <DefaultPaymentMethodForm
          saved={method.data.defaultPaymentMethod}
          sendsReceipts={method.data.sendsReceipts}
        />
      ) : (
        <Card>
          {method.isError ? (
            <LoadError onRetry={() => void method.refetch()}>
              Your payment methods could not be loaded.
            </LoadError>
          ) : (
            <RowSkeleton rows={2} />
          )}
        </Card>
      )}
    </NarrowContainer>
  );
}
