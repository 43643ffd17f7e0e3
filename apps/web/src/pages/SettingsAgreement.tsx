import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { agreementQuery } from '../features/portal/tutor-agreement-api.ts';

/* Lazy, because of its date field. */
const TutorAgreementSettings = lazy(async () => ({
  default: (await import('../features/portal/TutorAgreementSettings.tsx')).TutorAgreementSettings,
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
          <TutorAgreementSettings settings={agreement.data} dateContext={tutor} />
        </Suspense>
      ) : (
        placeholder
      )}
    </NarrowContainer>
  );
}
