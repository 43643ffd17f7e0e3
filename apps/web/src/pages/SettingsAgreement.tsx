import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { agreementQuery } from '../features/portal/agreement-api.ts';

/* Lazy, because of its date field. */
const AgreementForm = lazy(async () => ({
  default: (await import('../features/portal/AgreementForm.tsx')).AgreementForm,
}));

export function SettingsAgreementPage() {
  const tutor = useTutor();
  const agreement = useQuery(agreementQuery);
  const placeholder = (
    <Card>
      {agreement.isError && !agreement.data ? (
        <LoadError onRetry={() => void agreement.refetch()}>
          We couldn't load your agreement.
        </LoadError>
      ) : (
        <RowSkeleton rows={4} />
      )}
    </Card>
  );
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      {agreement.data ? (
        <Suspense fallback={placeholder}>
          <AgreementForm settings={agreement.data} dateContext={tutor} />
        </Suspense>
      ) : (
        placeholder
      )}
    </NarrowContainer>
  );
}
