import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { businessQuery } from '../features/business/api.ts';
import { BankDetailsChangedNotice } from '../features/business/BankDetailsChangedNotice.tsx';

const BusinessSettingsForm = lazy(async () => ({
  default: (await import('../features/business/BusinessSettingsForm.tsx')).BusinessSettingsForm,
}));

export function SettingsBusinessPage() {
  const tutor = useTutor();
  const business = useQuery(businessQuery);
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <BankDetailsChangedNotice
        changedAt={business.data?.bankDetailsChangedAt ?? null}
        dateContext={tutor}
      />
      <Card>
        {business.isPending && <RowSkeleton rows={5} />}
        {business.isError && !business.data && (
          <LoadError onRetry={() => void business.refetch()}>
            We couldn't load your business details.
          </LoadError>
        )}
        {business.data && (
          <Suspense fallback={<RowSkeleton rows={5} />}>
            <BusinessSettingsForm business={business.data} />
          </Suspense>
        )}
      </Card>
    </NarrowContainer>
  );
}
