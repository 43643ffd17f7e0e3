import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function LessonCompletePage() {
  return (
    <Column>
      <PageHeader title="Complete Lessons" back={{ link: { to: '/' }, label: 'Back to home' }} />
      <Sheet>
        <EmptyState
          drawing={<Spot name="register" size={112} />}
          action={
            <ButtonLink to="/" variant="light">
              Back to home
            </ButtonLink>
          }
        >
          Nothing to tick off: every lesson is dealt with.
        </EmptyState>
      </Sheet>
    </Column>
  );
}
