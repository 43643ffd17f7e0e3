import type { Student } from '@lessonbook/contract/students';
import { StudentRemindersRow } from '../reminders/StudentRemindersRow.tsx';
import { type RenderReminders, StudentDialog } from '../students/StudentDialog.tsx';

interface Props {
  /** Null for a new student. */
  student: Student | null;
  initialName?: string;
  opened: boolean;
  onClose: () => void;
}

const renderReminders: RenderReminders = (student) => <StudentRemindersRow student={student} />;

/** The student dialog with the student's reminders, for use on any page. */
export const StudentDialogWithReminders = (props: Props) => (
  <StudentDialog {...props} reminders={renderReminders} />
);
