import { useSearch } from '@tanstack/react-router';
import { DayHeading } from '../components/DayHeading.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { FreeDay } from '../components/Spot.tsx';
import { useTutor } from '../features/accounts/auth.tsx';

export function SessionsPage() {
  const tutor = useTutor();
  const { date = tutor.today } = useSearch({ from: '/frame/tutor/sessions' });
  return (
    <>
      <PageHeader title="Sessions" />
      <Sheet>
        <DayHeading over="Sessions" date={date} today={tutor.today} />
        <EmptyState drawing={<FreeDay />}>No sessions scheduled for this day</EmptyState>
      </Sheet>
    </>
  );
}
