import { ActionIcon, Menu } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { DayHeading } from '../components/DayHeading.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { FreeDay, Spot } from '../components/Spot.tsx';
import { useTutor } from '../features/accounts/auth.tsx';

export interface ScheduleSearch {
  view?: 'students' | 'subjects';
  date?: string;
}

/** Three views with addresses of their own, so that reload, back and a shared link work. */
export function SchedulePage() {
  const { view } = useSearch({ from: '/frame/tutor/schedule' });
  if (view === 'students') return <StudentsView />;
  if (view === 'subjects') return <SubjectsView />;
  return <ScheduleView />;
}

function ScheduleView() {
  const tutor = useTutor();
  const { date = tutor.today } = useSearch({ from: '/frame/tutor/schedule' });
  return (
    <>
      <PageHeader title="Schedule" action={<ViewMenu />} />
      <Sheet>
        <DayHeading over="Upcoming Lessons" date={date} today={tutor.today} />
        <EmptyState drawing={<FreeDay />}>No lessons scheduled for this day</EmptyState>
      </Sheet>
    </>
  );
}

function ViewMenu() {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="default" size={44} radius="md" aria-label="More views">
          <IconDotsVertical size={20} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item renderRoot={(props) => <Link to="/schedule" search={students} {...props} />}>
          View Students
        </Menu.Item>
        <Menu.Item renderRoot={(props) => <Link to="/schedule" search={subjects} {...props} />}>
          View Subjects
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/* The chosen day stays in the address, so the way back leads to it. */
const students = (search: ScheduleSearch) => ({ ...search, view: 'students' as const });
const subjects = (search: ScheduleSearch) => ({ ...search, view: 'subjects' as const });

function useWayBack() {
  const { date } = useSearch({ from: '/frame/tutor/schedule' });
  return {
    link: { to: '/schedule', search: date ? { date } : {} },
    label: 'Back to schedule',
  } as const;
}

function StudentsView() {
  return (
    <>
      <PageHeader title="Students" back={useWayBack()} />
      <Sheet>
        <EmptyState drawing={<Spot name="students" size={112} />}>
          No students in the book yet.
        </EmptyState>
      </Sheet>
    </>
  );
}

function SubjectsView() {
  return (
    <>
      <PageHeader title="Subjects" back={useWayBack()} />
      <Sheet>
        <EmptyState drawing={<Spot name="book" size={112} />}>
          No subjects in the book yet.
        </EmptyState>
      </Sheet>
    </>
  );
}
