import { addDaysToDate } from '@lessonbook/contract/dates';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Card } from '../components/Card.tsx';
import { FreeDayIllustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { sessionsByDateQuery } from '../features/lessons/api.ts';
import { DayPicker } from '../features/lessons/DayPicker.tsx';
import { SessionTable } from '../features/lessons/SessionTable.tsx';

export function SessionsPage() {
  const { today } = useTutor();
  const { date = today } = useSearch({ from: '/tutor/sessions' });
  const navigate = useNavigate();
  const goTo = (to: string) =>
    void navigate({ to: '/sessions', search: to === today ? {} : { date: to }, replace: true });
  return (
    <>
      <PageHeader
        back={{
          link: { to: '/schedule', search: date === today ? {} : { date } },
          label: 'Back to schedule',
        }}
      />
      <Card>
        <DayPicker
          date={date}
          today={today}
          onPick={goTo}
          onStep={(step) => goTo(addDaysToDate(date, step))}
        />
        <DaySessions date={date} />
      </Card>
    </>
  );
}

function DaySessions({ date }: { date: string }) {
  const day = useQuery({ ...sessionsByDateQuery(date), placeholderData: keepPreviousData });
  if (day.isError) {
    return (
      <LoadError onRetry={() => void day.refetch()}>We couldn't load this day's lessons.</LoadError>
    );
  }
  // Do not show the sessions of the previously selected day while this day loads.
  if (!day.data || day.isPlaceholderData) {
    return <RowSkeleton rows={Math.max(day.data?.length ?? 3, 1)} />;
  }
  if (day.data.length === 0) {
    return (
      <EmptyState illustration={<FreeDayIllustration />}>
        No sessions scheduled for this day
      </EmptyState>
    );
  }
  return <SessionTable sessions={day.data} />;
}
