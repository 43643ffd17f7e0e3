import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { studentRemindersQuery } from './api.ts';
import { leadInWords } from './reminder-words.ts';

const OwnRemindersSheet = lazy(async () => ({
  default: (await import('./OwnRemindersSheet.tsx')).OwnRemindersSheet,
}));

interface Props {
  student: { id: number; name: string };
  onCover: (covered: boolean) => void;
}

/** A row that says how one student's family is reminded, and the sheet behind it. */
export function OwnReminders({ student, onCover }: Props) {
  const [opened, setOpened] = useState(false);
  const { data } = useQuery(studentRemindersQuery(student.id));

  function show(open: boolean) {
    setOpened(open);
    onCover(open);
  }

  return (
    <>
      <SettingsButton
        label="Reminders"
        {...(data && { value: data.own ? leadInWords(data.lead) : 'As for everyone' })}
        onClick={() => show(true)}
      />
      <WhenOpened opened={opened}>
        <OwnRemindersSheet student={student} opened={opened} onClose={() => show(false)} />
      </WhenOpened>
    </>
  );
}
