import { expect, test } from 'vitest';
import { findCommonLeadTime, selectLessonReminders } from './contact-reminder-preferences.ts';

const defaults = { leadMinutes: 1440, channels: ['email'], recipient: 'carer' };
const carer = { isSelf: false, hasCarer: true, preferences: null };
const student = { isSelf: true, hasCarer: true, preferences: null };

test('lesson reminders go to the recipient chosen by the tutor', () => {
  const toStudents = { ...defaults, recipient: 'student' };
  const toBoth = { ...defaults, recipient: 'both' };
  expect(selectLessonReminders([carer], defaults)).toEqual([defaults]);
  expect(selectLessonReminders([student], defaults)).toEqual([]);
  expect(selectLessonReminders([carer], toStudents)).toEqual([]);
  expect(selectLessonReminders([student], toStudents)).toEqual([toStudents]);
  expect(selectLessonReminders([carer, student], toBoth)).toEqual([toBoth, toBoth]);
});

test('a student without a carer gets lesson reminders whichever recipient the tutor chose', () => {
  expect(selectLessonReminders([{ ...student, hasCarer: false }], defaults)).toEqual([defaults]);
});

test("a student's settings override the defaults, and a null lead time means no reminders", () => {
  const own = { ...defaults, leadMinutes: 60 };
  expect(selectLessonReminders([{ ...carer, preferences: own }], defaults)).toEqual([own]);
  expect(
    selectLessonReminders([{ ...carer, preferences: { ...own, leadMinutes: null } }], defaults),
  ).toEqual([]);
});

test('there is a common lead time only if it is the same for all reminders', () => {
  expect(findCommonLeadTime([])).toBeNull();
  expect(findCommonLeadTime([defaults, defaults])).toBe(1440);
  expect(findCommonLeadTime([defaults, { ...defaults, leadMinutes: 60 }])).toBeNull();
});
