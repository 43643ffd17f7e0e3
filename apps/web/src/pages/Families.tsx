import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { familiesQuery } from '../features/payments/api.ts';
import { FamilyList } from '../features/payments/FamilyList.tsx';

export function FamiliesPage() {
  const { today } = useTutor();
  const families = useQuery(familiesQuery);
  const { data } = families;
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/reports' }, label: 'Back to reports' }} />
      <Card>
        {families.isPending && <RowSkeleton rows={4} />}
        {families.isError && !data && (
          <LoadError onRetry={() => void families.refetch()}>
            The accounts could not be loaded.
          </LoadError>
        )}
        {data?.length === 0 && <NoAccounts />}
        {data && data.length > 0 && <FamilyList families={data} today={today} />}
      </Card>
    </NarrowContainer>
  );
}

function NoAccounts() {
  return (
    <EmptyState
      illustration={<Illustration name="pay" size={112} />}
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
