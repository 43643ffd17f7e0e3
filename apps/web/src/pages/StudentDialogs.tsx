import type { StudentOverview } from '@lessonbook/contract/student-overview-and-timeline';
import { lazy } from 'react';
import { LazyMount } from '../components/LazyMount.tsx';
import { StudentRemindersRow } from '../features/reminders/StudentRemindersRow.tsx';
import { DeleteStudentModal } from '../features/students/DeleteStudentModal.tsx';
import { StudentDialog } from '../features/students/StudentDialog.tsx';
import { StudentNoteModal } from '../features/students/StudentNoteModal.tsx';
import { StudentStatusDialog } from '../features/students/StudentStatusDialog.tsx';
import type { StudentAction } from '../features/students/student-url-search-params.ts';

const DepartureDialog = lazy(async () => ({
  default: (await import('../features/students/DepartureDialog.tsx')).DepartureDialog,
}));
const NewLessonDialog = lazy(async () => ({
  default: (await import('../features/lessons/NewLessonDialog.tsx')).NewLessonDialog,
}));
const RescheduleModal = lazy(async () => ({
  default: (await import('../features/lessons/RescheduleModal.tsx')).RescheduleModal,
}));
const RecordPaymentDialog = lazy(async () => ({
  default: (await import('../features/payments/RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));

interface Props {
  overview: StudentOverview;
  today: string;
  /** The dialog that is open. */
  action: StudentAction | null;
  onClose: () => void;
  onDeleted: () => void;
}

const renderReminders = (student: { id: number; name: string }) => (
  <StudentRemindersRow student={student} />
);

/** The dialogs about one student. Loaded when the first of them is opened. */
export function StudentDialogs({ overview, today, action, onClose, onDeleted }: Props) {
  const { student, nextSession } = overview;
  const dialog = (name: StudentAction) => ({ opened: action === name, onClose });
  return (
    <>
      <StudentDialog student={student} reminders={renderReminders} {...dialog('edit')} />
      <StudentNoteModal student={student} {...dialog('note')} />
      <StudentStatusDialog student={student} today={today} {...dialog('status')} />
      <DeleteStudentModal student={student} onDeleted={onDeleted} {...dialog('delete')} />
      <LazyMount opened={action === 'leave'}>
        <DepartureDialog student={student} today={today} {...dialog('leave')} />
      </LazyMount>
      <LazyMount opened={action === 'lesson'}>
        <NewLessonDialog
          defaults={{ date: today, values: { studentId: String(student.id) } }}
          {...dialog('lesson')}
        />
      </LazyMount>
      <LazyMount opened={action === 'payment'}>
        <RecordPaymentDialog target={{ studentId: student.id }} {...dialog('payment')} />
      </LazyMount>
      {nextSession && (
        <LazyMount opened={action === 'move'}>
          <RescheduleModal session={nextSession} today={today} {...dialog('move')} />
        </LazyMount>
      )}
    </>
  );
}
