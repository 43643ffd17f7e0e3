import type { Student } from '@lessonbook/contract/students';
import { StudentRemindersRow } from '../reminders/StudentRemindersRow.tsx';
import { type RenderReminders, StudentDialog } from '../students/StudentDialog.tsx';

interface Props {
  /** Null for a new student. */
  student: Student | null;
  opened: boolean;
  onClose: () => void;
}

const reminders: RenderReminders = (student, onCover) => (
  <StudentRemindersRow student={student} onCover={onCover} />
);

/** The student dialog with the student's reminders, for use on any page. */
export const StudentDialogContainer = (props: Props) => (
  <StudentDialog {...props} reminders={reminders} />
);
