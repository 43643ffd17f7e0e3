import { defaultRiseStart } from '@lessonbook/contract/price-rises';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { termCalendarsQuery } from '../features/lessons/shared/term-calendars-api.ts';

const PriceRiseForm = lazy(async () => ({
  default: (await import('../features/rates/PriceRiseForm.tsx')).PriceRiseForm,
}));

export function PriceRisePage() {
  const { today } = useTutor();
  const calendars = useQuery(termCalendarsQuery);
  // Without the terms, the form starts with the first day of a month.
  const terms = calendars.data?.flatMap((calendar) => calendar.terms) ?? [];
  const skeleton = (
    <Card>
      <RowSkeleton rows={4} />
    </Card>
  );
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings/rates' }, label: 'Back to rates' }} />
      {calendars.isPending ? (
        skeleton
      ) : (
        <Suspense fallback={skeleton}>
          <PriceRiseForm today={today} defaultFrom={defaultRiseStart(today, terms)} />
        </Suspense>
      )}
    </NarrowContainer>
  );
}
