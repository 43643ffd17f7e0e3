import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function LessonDetailsPage() {
  return (
    <Column>
      <PageHeader
        title="Lesson Details"
        back={{ link: { to: '/schedule' }, label: 'Back to schedule' }}
      />
      <Sheet>
        <EmptyState
          drawing={<Spot name="schedule" size={112} />}
          action={
            <ButtonLink to="/schedule" variant="light">
              Go to schedule
            </ButtonLink>
          }
        >
          Lesson not found
        </EmptyState>
      </Sheet>
    </Column>
  );
}
