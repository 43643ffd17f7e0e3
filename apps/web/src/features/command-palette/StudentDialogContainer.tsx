import type { Student } from '@lessonbook/contract/students';
import { StudentRemindersRow } from '../reminders/StudentRemindersRow.tsx';
import { type RenderReminders, StudentDialog } from '../students/StudentDialog.tsx';

interface Props {
  /** None for a new one. */
  student: Student | null;
  opened: boolean;
  onClose: () => void;
}

const reminders: RenderReminders = (student, onCover) => (
  <StudentRemindersRow student={student} onCover={onCover} />
);

/** A student's dialog with everything in it, above whatever page the tutor is on. */
export const StudentDialogContainer = (props: Props) => (
  <StudentDialog {...props} reminders={reminders} />
);
