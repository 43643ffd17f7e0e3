import type {
  DueAmounts,
  Family,
  FamilyDetails,
  FamilyListItem,
  LedgerEntry,
} from '@lessonbook/contract/families';
import type { OpenCharge, PaymentDetails, PaymentFormData } from '@lessonbook/contract/payments';

/** By default Ruth Hale pays for Maya and Leo. Today is 15 November 2026. */

export const openCharge = (overrides: Partial<OpenCharge> = {}): OpenCharge => ({
  id: 1,
  sessionId: 11,
  lessonId: 7,
  studentName: 'Maya Hale',
  description: 'Maths lesson',
  date: '2026-11-03',
  dueDate: '2026-11-03',
  currency: 'GBP',
  amount: 3500,
  outstanding: 3500,
  ...overrides,
});

export const paymentFormData = (overrides: Partial<PaymentFormData> = {}): PaymentFormData => ({
  familyId: 3,
  familyName: 'Ruth Hale',
  students: ['Maya Hale', 'Leo Hale'],
  today: '2026-11-15',
  lastMethod: 'cash',
  currency: 'GBP',
  balances: [{ currency: 'GBP', owed: 7000, credit: 0 }],
  charges: [
    openCharge(),
    openCharge({ id: 2, sessionId: 12, studentName: 'Leo Hale', date: '2026-11-05' }),
  ],
  preselectedChargeIds: [],
  claim: null,
  ...overrides,
});

export const paymentDetails = (overrides: Partial<PaymentDetails> = {}): PaymentDetails => ({
  id: 21,
  studentId: null,
  amount: 7000,
  currency: 'GBP',
  status: 'completed',
  paymentDate: '2026-11-14',
  kind: 'payment',
  method: 'bank_transfer',
  note: null,
  familyId: 3,
  familyName: 'Ruth Hale',
  students: ['Maya Hale', 'Leo Hale'],
  refunded: 0,
  allocations: [
    {
      chargeId: 1,
      sessionId: 11,
      studentId: 1,
      studentName: 'Maya Hale',
      description: 'Maths lesson',
      date: '2026-11-03',
      amount: 3500,
      outstanding: 0,
    },
    {
      chargeId: 2,
      sessionId: 12,
      studentId: 2,
      studentName: 'Leo Hale',
      description: 'Piano lesson',
      date: '2026-11-05',
      amount: 3000,
      outstanding: 500,
    },
  ],
  credit: 500,
  refunds: [],
  returned: [],
  pendingRefundAmount: 0,
  balance: { currency: 'GBP', owed: 500, credit: 0 },
  ...overrides,
});

export const ledgerEntry = (overrides: Partial<LedgerEntry> = {}): LedgerEntry => ({
  key: 'c1',
  kind: 'lesson',
  date: '2026-11-03',
  createdAt: '2026-11-03T17:00:00Z',
  author: 'tutor',
  description: 'Maths lesson',
  note: null,
  studentName: 'Maya Hale',
  currency: 'GBP',
  amount: 3500,
  balance: 3500,
  reversed: false,
  reverses: null,
  chargeId: 1,
  sessionId: 11,
  paymentId: null,
  method: null,
  invoice: null,
  ...overrides,
});

export const family = (overrides: Partial<Family> = {}): Family => ({
  id: 3,
  name: 'Ruth Hale',
  students: ['Maya Hale', 'Leo Hale'],
  balances: [{ currency: 'GBP', owed: 6500, credit: 0 }],
  oldestDueDate: '2026-11-03',
  claim: null,
  ...overrides,
});

export const familyListItem = (overrides: Partial<FamilyListItem> = {}): FamilyListItem => ({
  ...family(),
  children: [
    { id: 2, name: 'Leo Hale' },
    { id: 1, name: 'Maya Hale' },
  ],
  nextLesson: { sessionId: 31, date: '2026-11-15', startTime: '16:30' },
  due: [
    {
      currency: 'GBP',
      overdue: 3500,
      overdueSince: '2026-11-03',
      dueOn: null,
      uninvoiced: 3000,
      withoutDueDate: 3000,
    },
  ],
  ...overrides,
});

export const dueAmounts = (overrides: Partial<DueAmounts>): DueAmounts[] => [
  {
    currency: 'GBP',
    overdue: 0,
    overdueSince: null,
    dueOn: null,
    uninvoiced: 0,
    withoutDueDate: 0,
    ...overrides,
  },
];

export const familyDetails = (overrides: Partial<FamilyDetails> = {}): FamilyDetails => ({
  ...family(),
  carerId: 7,
  studentId: null,
  email: 'ruth@hale.example',
  phone: '+447700900001',
  address: null,
  timeZone: null,
  reference: 'HALE-3',
  children: [
    {
      id: 1,
      name: 'Maya Hale',
      isCurrent: true,
      balances: [{ currency: 'GBP', owed: 3500, credit: 0 }],
    },
    {
      id: 2,
      name: 'Leo Hale',
      isCurrent: true,
      balances: [{ currency: 'GBP', owed: 3000, credit: 0 }],
    },
  ],
  due: [
    {
      currency: 'GBP',
      overdue: 3500,
      overdueSince: '2026-11-03',
      dueOn: null,
      uninvoiced: 3000,
      withoutDueDate: 3000,
    },
  ],
  people: [
    {
      contactId: 7,
      name: 'Ruth Hale',
      relationship: 'Mother',
      email: 'ruth@hale.example',
      phone: '+447700900001',
      familyId: 3,
      mainContactOf: ['Leo Hale', 'Maya Hale'],
    },
  ],
  lastMethod: 'cash',
  currency: 'GBP',
  payToken: 'b_token',
  returnedPayments: [],
  entries: [ledgerEntry()],
  entryCount: 1,
  ...overrides,
});
