import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function FamilyPage() {
  return (
    <Column>
      <PageHeader title="Family" back={{ link: { to: '/reports' }, label: 'Back to reports' }} />
      <Sheet>
        <EmptyState
          drawing={<Spot name="students" size={112} />}
          action={
            <ButtonLink to="/schedule" variant="light">
              Go to schedule
            </ButtonLink>
          }
        >
          Family not found
        </EmptyState>
      </Sheet>
    </Column>
  );
}
