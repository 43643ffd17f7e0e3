import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { studentRemindersQuery } from './api.ts';
import { formatLead } from './reminder-options-and-labels.ts';

const StudentRemindersModal = lazy(async () => ({
  default: (await import('./StudentRemindersModal.tsx')).StudentRemindersModal,
}));

interface Props {
  student: { id: number; name: string };
  onCoveredChange: (covered: boolean) => void;
}

/** Shows a student's reminder settings and opens their modal. */
export function StudentRemindersRow({ student, onCoveredChange }: Props) {
  const [opened, setOpened] = useState(false);
  const { data } = useQuery(studentRemindersQuery(student.id));

  function show(open: boolean) {
    setOpened(open);
    onCoveredChange(open);
  }

  return (
    <>
      <SettingsButton
        label="Reminders"
        {...(data && { value: data.isCustom ? formatLead(data.lead) : 'As for everyone' })}
        onClick={() => show(true)}
      />
      <LazyMount opened={opened}>
        <StudentRemindersModal student={student} opened={opened} onClose={() => show(false)} />
      </LazyMount>
    </>
  );
}
