import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function MessagesPage() {
  return (
    <Column>
      <PageHeader title="Messages" />
      <Sheet>
        <EmptyState drawing={<Spot name="talk" size={112} />}>No messages sent yet.</EmptyState>
      </Sheet>
    </Column>
  );
}
