import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function SettingsTimeOffPage() {
  return (
    <Column>
      <PageHeader
        title="Time off"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <Sheet>
        <EmptyState drawing={<Spot name="sun" size={112} />}>No time off in the book.</EmptyState>
      </Sheet>
    </Column>
  );
}
