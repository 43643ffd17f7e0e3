import { fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { DayChangeDialog } from '../features/lessons/DayChangeDialog.tsx';
import { StudentNotArrivedModal } from '../features/messages/StudentNotArrivedModal.tsx';
import { DepartureDialog } from '../features/students/DepartureDialog.tsx';
import { json } from './mock-api.ts';
import { student } from './student-fixtures.ts';
import { ada } from './user-fixtures.ts';

/* For lost-work.test.tsx, which checks that no form loses its input. */

const { today } = ada;
export const ignore = () => {};
export const modal = { opened: true, onClose: ignore };

export const type = (label: string | RegExp) => async () => {
  const [field] = await screen.findAllByLabelText<HTMLInputElement>(label);
  if (field) fireEvent.change(field, { target: { value: `${field.value}1` } });
};
export const click = (role: 'radio' | 'checkbox' | 'switch', name: string | RegExp) => async () => {
  fireEvent.click(await screen.findByRole(role, { name }));
};

export interface FormCase {
  /** The file that calls the form hook, as a path relative to `features`, or starting with `pages`. */
  file: string;
  element: ReactNode;
  edit: () => Promise<void>;
  /** The cancel button; a form on a page has none. */
  cancel?: string | RegExp;
}

const missingStudent = {
  studentId: 1,
  studentName: 'Maya Okafor',
  toName: 'Ruth Hale',
  channels: [{ channel: 'email', address: 'ruth@hale.example', problem: null }],
  subject: "Maya hasn't arrived for the lesson at 4pm",
  text: 'Hi Ruth, is Maya on the way?',
  sent: null,
};

export const previewHandlers = {
  'GET /api/day-changes': () => json(200, []),
  'POST /api/day-changes/preview': () =>
    json(200, {
      sessions: [],
      unchanged: [],
      notices: [],
      needsLink: false,
      offersGoogleMeet: false,
      suggestedLink: null,
    }),
  'POST /api/departures/preview': () =>
    json(200, { fingerprint: 'none', students: [], families: [] }),
  'GET /api/sessions/1/not-arrived': () => json(200, [missingStudent]),
};

/** Dialogs that load a preview. */
export const formsWithPreview: Record<string, FormCase> = {
  'day change': {
    file: 'lessons/DayChangeDialog.tsx',
    element: <DayChangeDialog {...modal} today={today} day={today} />,
    edit: type('Message to families (optional)'),
    cancel: 'Go back',
  },
  'student who has not arrived': {
    file: 'messages/StudentNotArrivedModal.tsx',
    element: <StudentNotArrivedModal {...modal} sessionId={1} dateContext={ada} />,
    edit: type('Message'),
    cancel: 'Not now',
  },
  'student who leaves': {
    file: 'students/DepartureDialog.tsx',
    element: <DepartureDialog {...modal} student={student()} today={today} />,
    edit: click('checkbox', 'Draft a message to the family'),
    cancel: 'Go back',
  },
};
