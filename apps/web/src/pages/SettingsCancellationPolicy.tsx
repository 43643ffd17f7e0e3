import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { policyQuery } from '../features/lessons/cancellation-policy-api.ts';

/* Lazy, because of its time and date fields. */
const CancellationPolicyForm = lazy(async () => ({
  default: (await import('../features/lessons/CancellationPolicyForm.tsx')).CancellationPolicyForm,
}));

export function SettingsCancellationPolicyPage() {
  const { today } = useTutor();
  const policy = useQuery(policyQuery);
  const placeholder = (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <Card>
        {policy.isError && !policy.data ? (
          <LoadError onRetry={() => void policy.refetch()}>
            We couldn't load your cancellation policy.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Card>
    </NarrowContainer>
  );
  if (!policy.data) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <CancellationPolicyForm settings={policy.data} today={today} />
    </Suspense>
  );
}
