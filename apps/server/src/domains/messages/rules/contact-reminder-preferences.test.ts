import { expect, test } from 'vitest';
import { commonLead, lessonRemindersOf } from './contact-reminder-preferences.ts';

const defaults = { leadMinutes: 1440, channels: ['email'], recipient: 'carer' };
const carer = { isSelf: false, hasCarer: true, preferences: null };
const student = { isSelf: true, hasCarer: true, preferences: null };

test('lesson reminders go to the recipient chosen by the tutor', () => {
  const toStudents = { ...defaults, recipient: 'student' };
  const toBoth = { ...defaults, recipient: 'both' };
  expect(lessonRemindersOf([carer], defaults)).toEqual([defaults]);
  expect(lessonRemindersOf([student], defaults)).toEqual([]);
  expect(lessonRemindersOf([carer], toStudents)).toEqual([]);
  expect(lessonRemindersOf([student], toStudents)).toEqual([toStudents]);
  expect(lessonRemindersOf([carer, student], toBoth)).toEqual([toBoth, toBoth]);
});

test('a student without a carer gets lesson reminders whichever recipient the tutor chose', () => {
  expect(lessonRemindersOf([{ ...student, hasCarer: false }], defaults)).toEqual([defaults]);
});

test("a student's settings override the defaults, and a null lead time means no reminders", () => {
  const own = { ...defaults, leadMinutes: 60 };
  expect(lessonRemindersOf([{ ...carer, preferences: own }], defaults)).toEqual([own]);
  expect(
    lessonRemindersOf([{ ...carer, preferences: { ...own, leadMinutes: null } }], defaults),
  ).toEqual([]);
});

test('there is a common lead time only if it is the same for all reminders', () => {
  expect(commonLead([])).toBeNull();
  expect(commonLead([defaults, defaults])).toBe(1440);
  expect(commonLead([defaults, { ...defaults, leadMinutes: 60 }])).toBeNull();
});
