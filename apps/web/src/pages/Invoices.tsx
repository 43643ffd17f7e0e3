import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function InvoicesPage() {
  return (
    <Column>
      <PageHeader title="Invoices" back={{ link: { to: '/reports' }, label: 'Back to reports' }} />
      <Sheet>
        <EmptyState drawing={<Spot name="register" size={112} />}>No invoices yet.</EmptyState>
      </Sheet>
    </Column>
  );
}
