import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';

const PriceRiseForm = lazy(async () => ({
  default: (await import('../features/rates/PriceRiseForm.tsx')).PriceRiseForm,
}));

export function PriceRisePage() {
  const { today } = useTutor();
  const skeleton = (
    <Card>
      <RowSkeleton rows={4} />
    </Card>
  );
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings/rates' }, label: 'Back to rates' }} />
      <Suspense fallback={skeleton}>
        <PriceRiseForm today={today} />
      </Suspense>
    </NarrowContainer>
  );
}
