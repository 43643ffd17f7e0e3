import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Column } from '../components/Column.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { businessQuery } from '../features/business/api.ts';

const BusinessFields = lazy(async () => ({
  default: (await import('../features/business/BusinessFields.tsx')).BusinessFields,
}));

export function SettingsBusinessPage() {
  const business = useQuery(businessQuery);
  return (
    <Column>
      <PageHeader
        title="Business"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <Sheet>
        {business.isPending && <RowSkeleton rows={5} />}
        {business.isError && !business.data && (
          <LoadError onRetry={() => void business.refetch()}>
            Your business details could not be loaded.
          </LoadError>
        )}
        {business.data && (
          <Suspense fallback={<RowSkeleton rows={5} />}>
            <BusinessFields business={business.data} />
          </Suspense>
        )}
      </Sheet>
    </Column>
  );
}
