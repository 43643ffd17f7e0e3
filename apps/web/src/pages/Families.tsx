import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { familiesQuery } from '../features/payments/api.ts';
import { FamilyList } from '../features/payments/FamilyList.tsx';

export function FamiliesPage() {
  const { today } = useTutor();
  const families = useQuery(familiesQuery);
  const { data } = families;
  return (
    <Column>
      <PageHeader title="Accounts" back={{ link: { to: '/reports' }, label: 'Back to reports' }} />
      <Sheet>
        {families.isPending && <RowSkeleton rows={4} />}
        {families.isError && !data && (
          <LoadError onRetry={() => void families.refetch()}>
            The accounts could not be loaded.
          </LoadError>
        )}
        {data?.length === 0 && <NobodyPays />}
        {data && data.length > 0 && <FamilyList families={data} today={today} />}
      </Sheet>
    </Column>
  );
}

function NobodyPays() {
  return (
    <EmptyState
      drawing={<Spot name="pay" size={112} />}
      action={
        <ButtonLink to="/schedule" search={{ view: 'students' }} variant="light">
          Go to students
        </ButtonLink>
      }
    >
      No accounts yet. Each student, or the carer who pays, gets one.
    </EmptyState>
  );
}
