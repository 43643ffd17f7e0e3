import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function PaymentCreatePage() {
  return (
    <Column>
      <PageHeader title="Payment Reminder" back={{ link: { to: '/' }, label: 'Back to home' }} />
      <Sheet>
        <EmptyState
          drawing={<Spot name="pay" size={112} />}
          action={
            <ButtonLink to="/" variant="light">
              Back to home
            </ButtonLink>
          }
        >
          Nothing is owed for this lesson.
        </EmptyState>
      </Sheet>
    </Column>
  );
}
