import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Spinner } from '../components/Spinner.tsx';
import { ScheduleView } from './ScheduleView.tsx';

const StudentsView = lazy(async () => ({
  default: (await import('../features/students/StudentsView.tsx')).StudentsView,
}));
const SubjectsView = lazy(async () => ({
  default: (await import('../features/subjects/SubjectsView.tsx')).SubjectsView,
}));

const StudentRemindersRow = lazy(async () => ({
  default: (await import('../features/reminders/StudentRemindersRow.tsx')).StudentRemindersRow,
}));

const renderReminders = (student: { id: number; name: string }) => (
  <Suspense fallback={null}>
    <StudentRemindersRow student={student} />
  </Suspense>
);

/** Three views, each with its own URL, so that reload, Back and shared links work. */
export function SchedulePage() {
  const { view, ...scheduleSearch } = useSearch({ from: '/tutor/schedule' });
  // The selected day stays in the URL for the back link.
  const back = {
    link: { to: '/schedule', search: scheduleSearch },
    label: 'Back to schedule',
  } as const;
  return (
    <Suspense fallback={<Spinner />}>
      {view === 'students' && <StudentsView back={back} reminders={renderReminders} />}
      {view === 'subjects' && <SubjectsView back={back} />}
      {view === undefined && <ScheduleView />}
    </Suspense>
  );
}
