import type { Student } from '@lessonbook/contract/students';
import { OwnReminders } from '../../features/reminders/OwnReminders.tsx';
import { type RemindersOf, StudentDialog } from '../../features/students/StudentDialog.tsx';

interface Props {
  /** None for a new one. */
  student: Student | null;
  opened: boolean;
  onClose: () => void;
}

const reminders: RemindersOf = (student, onCover) => (
  <OwnReminders student={student} onCover={onCover} />
);

/** A student's dialog with everything in it, above whatever page the tutor is on. */
export const StudentCard = (props: Props) => <StudentDialog {...props} reminders={reminders} />;
