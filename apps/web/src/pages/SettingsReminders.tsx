import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function SettingsRemindersPage() {
  return (
    <Column>
      <PageHeader
        title="Reminders"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <Sheet>
        <EmptyState drawing={<Spot name="bell" size={112} />}>
          No reminders are set. Nothing reaches a family before you have seen it.
        </EmptyState>
      </Sheet>
    </Column>
  );
}
