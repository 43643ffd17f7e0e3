import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { studentRemindersQuery } from './api.ts';
import { formatLead } from './reminder-options.ts';

const StudentRemindersModal = lazy(async () => ({
  default: (await import('./StudentRemindersModal.tsx')).StudentRemindersModal,
}));

interface Props {
  student: { id: number; name: string };
}

/** Shows a student's reminder settings and opens their modal. */
export function StudentRemindersRow({ student }: Props) {
  const [opened, setOpened] = useState(false);
  const { data } = useQuery(studentRemindersQuery(student.id));

  return (
    <>
      <SettingsButton
        label="Reminders"
        {...(data && {
          value: data.isCustom ? formatLead(data.leadMinutes) : 'Same as everyone else',
        })}
        onClick={() => setOpened(true)}
      />
      <LazyMount opened={opened}>
        <StudentRemindersModal student={student} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}
