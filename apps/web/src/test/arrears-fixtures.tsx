import type { Arrears, UnpaidCharge } from '@lessonbook/contract/arrears';
import { InstalmentsDialog } from '../features/payments/InstalmentsDialog.tsx';
import { WriteOffDialog } from '../features/payments/WriteOffDialog.tsx';
import { familyDetails } from './family-and-payment-fixtures.ts';

export const unpaidCharge = (overrides: Partial<UnpaidCharge> = {}): UnpaidCharge => ({
  id: 1,
  studentName: 'Maya Hale',
  description: 'Maths lesson',
  date: '2026-09-03',
  currency: 'GBP',
  invoiceNumber: null,
  outstanding: 3500,
  isOverdue: true,
  isOnHold: false,
  ...overrides,
});

export const arrearsReply = (overrides: Partial<Arrears> = {}): Arrears => ({
  overdueSince: '2026-09-03',
  reminderCount: 3,
  isInArrears: true,
  charges: [
    unpaidCharge(),
    unpaidCharge({ id: 2, studentName: 'Leo Hale', invoiceNumber: '12', outstanding: 2050 }),
    unpaidCharge({ id: 3, date: '2026-11-14', outstanding: 3000, isOverdue: false }),
  ],
  writtenOff: [],
  plans: [],
  ...overrides,
});

interface FormCaseOptions {
  today: string;
  modal: { opened: boolean; onClose: () => void };
  type: (label: RegExp) => () => Promise<void>;
  click: (role: 'radio', name: string) => () => Promise<void>;
}

/** For the test that checks that no form loses input. */
export const arrearsForms = ({ today, modal, type, click }: FormCaseOptions) => ({
  'write off': {
    file: 'payments/WriteOffDialog.tsx',
    element: <WriteOffDialog {...modal} today={today} family={familyDetails()} />,
    edit: type(/^Reason/),
    cancel: 'Cancel',
  },
  'agree instalments': {
    file: 'payments/InstalmentsDialog.tsx',
    element: <InstalmentsDialog {...modal} today={today} family={familyDetails()} />,
    edit: click('radio', 'Weekly'),
    cancel: 'Cancel',
  },
});
