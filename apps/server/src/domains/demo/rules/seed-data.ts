import type { BusinessSettings } from '@lessonbook/contract/business-settings';
import type { ManualMethod } from '@lessonbook/contract/payments';

/* Seed data for the demo account. In WEEKLY_LESSONS, day 0 is Monday. */

export const SUBJECTS = [
  { name: 'Maths GCSE', description: 'Foundation and higher', defaultFee: 38 },
  { name: 'Physics A-level', description: null, defaultFee: 42 },
  { name: 'Piano', description: 'Grades 1 to 5', defaultFee: 28 },
  { name: 'French', description: null, defaultFee: 30 },
  { name: '11+ prep', description: 'Verbal and non-verbal reasoning', defaultFee: 32 },
];

const CARERS = {
  okafor: {
    carerName: 'Ngozi Okafor',
    carerRelationship: 'Mother',
    carerPhone: '07700 900123',
    carerEmail: 'ngozi@families.example',
  },
  mehta: {
    carerName: 'Anil Mehta',
    carerRelationship: 'Father',
    carerPhone: '07700 900456',
    carerEmail: 'anil@families.example',
  },
  brennan: {
    carerName: 'Siobhan Brennan',
    carerRelationship: 'Mother',
    carerEmail: 'siobhan@families.example',
  },
};

export const STUDENTS = [
  {
    name: 'Maya Okafor',
    subject: 'Maths',
    school: 'Larkfield Academy',
    schoolYear: 'Year 10',
    ...CARERS.okafor,
  },
  {
    name: 'Sam Okafor',
    subject: 'Piano',
    school: 'Larkfield Academy',
    schoolYear: 'Year 7',
    sharesCarerWith: 'Maya Okafor',
  },
  {
    name: 'Rohan Mehta',
    subject: '11+',
    school: 'Mill Lane Primary',
    schoolYear: 'Year 5',
    ...CARERS.mehta,
  },
  { name: 'Isla Brennan', subject: 'Piano', ...CARERS.brennan },
  {
    name: 'Theo Lindqvist',
    subject: 'Physics',
    school: 'Eastgate Sixth Form',
    schoolYear: 'Year 12',
    email: 'theo@students.example',
  },
  { name: 'Amira Haddad', subject: 'French', email: 'amira@students.example' },
  { name: 'Chloe Dubois', subject: 'Maths' },
];

export const WEEKLY_LESSONS = [
  { student: 'Maya Okafor', subject: 'Maths GCSE', day: 0, start: '16:00', end: '17:00' },
  { student: 'Theo Lindqvist', subject: 'Physics A-level', day: 0, start: '17:30', end: '18:30' },
  { student: 'Isla Brennan', subject: 'Piano', day: 1, start: '16:15', end: '17:00' },
  { student: 'Rohan Mehta', subject: '11+ prep', day: 2, start: '15:45', end: '16:45' },
  { student: 'Maya Okafor', subject: 'Maths GCSE', day: 2, start: '17:00', end: '18:00' },
  { student: 'Sam Okafor', subject: 'Piano', day: 2, start: '18:15', end: '19:00' },
  { student: 'Chloe Dubois', subject: 'Maths GCSE', day: 3, start: '16:30', end: '17:15' },
  { student: 'Amira Haddad', subject: 'French', day: 4, start: '16:00', end: '16:45' },
  { student: 'Rohan Mehta', subject: '11+ prep', day: 5, start: '09:30', end: '10:30' },
  { student: 'Isla Brennan', subject: 'Piano', day: 5, start: '11:00', end: '12:00' },
  { student: 'Theo Lindqvist', subject: 'Physics A-level', day: 5, start: '13:15', end: '14:15' },
];

export const WEEKS_OF_HISTORY = 10;
export const SESSIONS_LEFT_INCOMPLETE = 2;

/** How families pay. `amountFor` returns the amount of a payment, given what the family owes. */
export const PAYMENT_HABITS: {
  payer: string;
  weeksBetweenPayments: number;
  method: ManualMethod;
  amountFor: (owed: number) => number;
}[] = [
  {
    payer: 'Ngozi Okafor',
    weeksBetweenPayments: 2,
    method: 'bank_transfer',
    amountFor: (owed) => owed,
  },
  { payer: 'Anil Mehta', weeksBetweenPayments: 1, method: 'cash', amountFor: (owed) => owed },
  {
    payer: 'Siobhan Brennan',
    weeksBetweenPayments: 2,
    method: 'bank_transfer',
    amountFor: (owed) => Math.round(owed / 2),
  },
  {
    payer: 'Theo Lindqvist',
    weeksBetweenPayments: 3,
    method: 'bank_transfer',
    amountFor: (owed) => owed,
  },
  {
    payer: 'Amira Haddad',
    weeksBetweenPayments: 5,
    method: 'bank_transfer',
    amountFor: (owed) => owed + 6000,
  },
  { payer: 'Chloe Dubois', weeksBetweenPayments: 4, method: 'other', amountFor: (owed) => owed },
];
/** The payer who is sent an invoice for last month. */
export const INVOICED_PAYER = 'Siobhan Brennan';

export const BUSINESS: BusinessSettings = {
  tradingName: 'Demo Tuition',
  address: '12 Orchard Lane\nBristol BS6 5QA',
  accountName: 'Demo Tutor',
  sortCode: '00-00-00',
  accountNumber: '00000000',
  dueDays: 7,
  invoicePrefix: '',
  nextInvoiceNumber: 1,
};
