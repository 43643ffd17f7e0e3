import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function NotificationsPage() {
  return (
    <Column>
      <PageHeader title="Notifications" />
      <Sheet>
        <EmptyState drawing={<Spot name="bell" size={112} />}>
          Nothing needs you. News about lessons and money arrives here.
        </EmptyState>
      </Sheet>
    </Column>
  );
}
