import type { Rate } from '@lessonbook/contract/rates';
import type { Session } from '@lessonbook/contract/sessions';
import type { Contact, Student } from '@lessonbook/contract/students';
import type { Subject } from '@lessonbook/contract/subjects';
import { expect, test } from 'vitest';
import { sessionDetails } from '../../test/session-fixtures.ts';
import { contact, student } from '../../test/student-fixtures.ts';
import { oneToOneMessage } from './ask-one-to-one-fee-message.ts';

const tutor = { today: '2026-11-15', timeZone: 'Europe/London' };
const [seat] = sessionDetails().students as [Session['students'][number]];
const maya = (fields: Partial<Student> = {}, ruth: Partial<Contact> = {}) =>
  student({
    contacts: [contact(ruth)],
    payers: [{ familyId: 3, contactId: 7, percent: 100, from: '2025-09-01' }],
    ...fields,
  });
const maths = { id: 1, defaultFee: 40, currency: 'GBP' } as Subject;
const rate = { studentId: 1, subjectId: 1, amount: 3000, currency: 'GBP', unit: 'hour' } as Rate;

function writeMessage({
  session = {},
  mayaToday = maya(),
  ...group
}: Record<string, unknown> = {}) {
  return oneToOneMessage(
    {
      session: sessionDetails({ endTime: '17:30', ...(session as Partial<Session>) }),
      students: [mayaToday as Student],
      rates: [],
      subjects: [maths],
      ...group,
    },
    tutor,
  );
}

test('writes a message only for a scheduled lesson with one expected student who has a payer', () => {
  expect(writeMessage()).not.toBeNull();
  expect(writeMessage({ session: { students: [seat, { ...seat, studentId: 2 }] } })).toBeNull();
  expect(writeMessage({ session: { students: [{ ...seat, state: 'cancelled' }] } })).toBeNull();
  expect(writeMessage({ session: { status: 'cancelled' } })).toBeNull();
  expect(writeMessage({ mayaToday: maya({ payers: [] }) })).toBeNull();
});

test('addresses the families who pay on the date of the lesson', () => {
  const payer = { contactId: 7, percent: 50 };
  const payers = [
    { ...payer, familyId: 3, from: '2025-09-01' },
    { ...payer, familyId: 4, from: '2026-10-01' },
    { ...payer, familyId: 5, from: '2026-10-01' },
    { ...payer, familyId: 6, from: '2026-12-01' },
  ];
  expect(writeMessage({ mayaToday: maya({ payers }) })?.familyIds).toEqual([4, 5]);
});

test("quotes the student's rate for the length of the lesson, the default fee, or a blank", () => {
  const fee = (group: Record<string, unknown>) =>
    /one-to-one for (.*)\.\n/.exec(writeMessage(group)?.text ?? '')?.[1];
  expect(fee({ rates: [{ ...rate, validFrom: '2026-11-01' }] })).toBe('£45 instead of £35');
  expect(fee({ rates: [{ ...rate, validFrom: '2026-12-01' }] })).toBe('£40 instead of £35');
  expect(fee({ subjects: [] })).toBe('£___ instead of £35');
  expect(fee({ subjects: [{ ...maths, currency: 'EUR' }] })).toBe('£___ instead of £35');
  expect(fee({ subjects: [{ ...maths, defaultFee: 35 }] })).toBe('£___ instead of £35');
  expect(fee({ session: { students: [{ ...seat, fee: null }] } })).toBe('£40');
});

test('addresses a student who pays directly, and names the time zone for a family in another one', () => {
  const adult = writeMessage({ mayaToday: maya({}, { isStudent: true }) });
  expect(adult?.text).toContain("You're the only student expected");
  expect(adult?.subject).toBe('Your lesson on Sun 15 Nov');
  const abroad = writeMessage({ mayaToday: maya({}, { timeZone: 'Asia/Dubai' }) });
  expect(abroad?.text).toContain('at 4pm (London time).');
  expect(writeMessage({ session: { startTime: '12:00' } })?.text).toContain('at 12 noon.');
});
