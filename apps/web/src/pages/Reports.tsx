import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function ReportsPage() {
  return (
    <>
      <PageHeader title="Tutor Earnings Report" />
      <Sheet>
        <EmptyState drawing={<Spot name="insight" size={112} />}>No payments found</EmptyState>
      </Sheet>
    </>
  );
}
