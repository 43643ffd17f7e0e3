import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function SessionDetailsPage() {
  return (
    <Column>
      <PageHeader
        title="Session Details"
        back={{ link: { to: '/sessions' }, label: 'Back to sessions' }}
      />
      <Sheet>
        <EmptyState
          drawing={<Spot name="schedule" size={112} />}
          action={
            <ButtonLink to="/sessions" variant="light">
              Go to sessions
            </ButtonLink>
          }
        >
          Session not found
        </EmptyState>
      </Sheet>
    </Column>
  );
}
