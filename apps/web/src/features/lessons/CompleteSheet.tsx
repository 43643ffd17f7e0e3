import type { Attendance, SessionRow } from '@lessonbook/contract/sessions';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { useUnsaved } from '../../lib/unsaved.ts';
import { AttendanceFields } from './AttendanceFields.tsx';
import { useCompleteSession } from './api.ts';
import classes from './SessionSheets.module.css';

interface Props {
  session: SessionRow;
  opened: boolean;
  onClose: () => void;
}

export function CompleteSheet({ session, opened, onClose }: Props) {
  return (
    <BottomSheet title="Mark as Completed" opened={opened} onClose={onClose}>
      <CompleteForm session={session} onClose={onClose} />
    </BottomSheet>
  );
}

function CompleteForm({ session, onClose }: Omit<Props, 'opened'>) {
  const [attendance, setAttendance] = useState<Attendance>('attended');
  const [charge, setCharge] = useState(true);
  const [notes, setNotes] = useState('');
  useUnsaved(notes.trim() !== '');
  const complete = useCompleteSession();
  return (
    <div className={classes.sheet}>
      <p className={classes.hint}>{session.title}</p>
      <AttendanceFields
        session={session}
        attendance={attendance}
        charge={charge}
        onAttendance={setAttendance}
        onCharge={setCharge}
      />
      <Textarea
        label="Note"
        size="md"
        rows={2}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
      <SheetButtons
        onCancel={onClose}
        confirm="Complete"
        busy="Saving..."
        isBusy={complete.isPending}
        onConfirm={() =>
          complete.mutate(
            {
              params: { id: session.id },
              body: { attendance, charge, ...(notes.trim() && { notes }) },
            },
            { onSuccess: onClose },
          )
        }
      />
    </div>
  );
}
