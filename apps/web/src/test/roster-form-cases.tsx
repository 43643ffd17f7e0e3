import type { LessonDetails } from '@lessonbook/contract/lessons';
import { fireEvent, screen } from '@testing-library/react';
import { JoinLessonModal } from '../features/lessons/JoinLessonModal.tsx';
import { LeaveLessonModal } from '../features/lessons/LeaveLessonModal.tsx';
import { sessionDetails } from './session-fixtures.ts';

interface FormCaseOptions {
  today: string;
  modal: { opened: boolean; onClose: () => void };
  type: (label: string) => () => Promise<void>;
  lesson: LessonDetails;
}

/** For the test that checks that no form loses input. */
export const rosterForms = ({ today, modal, type, lesson }: FormCaseOptions) => ({
  'add a student to a lesson': {
    file: 'lessons/JoinLessonModal.tsx',
    element: (
      <JoinLessonModal {...modal} lesson={lesson} session={sessionDetails()} today={today} />
    ),
    edit: type('Individual price'),
    cancel: 'Cancel',
  },
  'remove a student from a lesson': {
    file: 'lessons/LeaveLessonModal.tsx',
    element: (
      <LeaveLessonModal
        {...modal}
        lesson={lesson}
        session={sessionDetails()}
        today={today}
        student={{ studentId: 1, name: 'Maya Okafor', fee: null, fromDate: null, toDate: null }}
      />
    ),
    edit: async () => {
      const from = await screen.findByRole('textbox', { name: /^Remove from/ });
      fireEvent.change(from, { target: { value: '1 Dec 2026' } });
      fireEvent.blur(from);
    },
    cancel: 'Cancel',
  },
});
