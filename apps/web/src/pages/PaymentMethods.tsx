import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function PaymentMethodsPage() {
  return (
    <Column>
      <PageHeader
        title="Payment Methods"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <Sheet>
        <EmptyState drawing={<Spot name="pay" size={112} />}>
          Manual Payments: you record what you receive outside the app, such as cash or a bank
          transfer.
        </EmptyState>
      </Sheet>
    </Column>
  );
}
