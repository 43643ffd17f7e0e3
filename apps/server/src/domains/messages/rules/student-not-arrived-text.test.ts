import { expect, test } from 'vitest';
import { writeStudentNotArrivedMessage } from './student-not-arrived-text.ts';

const london = 'Europe/London';
const maya = {
  studentId: 5,
  studentName: 'Maya Hale',
  subjectName: 'Maths',
  place: 'At Ada’s',
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
};
const ruth = {
  name: 'Ruth Hale',
  reader: { studentId: null, timeZone: london, tutorTimeZone: london },
};
const alone = { isGroup: false, signature: 'Ada' };

test('the message to the carer says which lesson has not started and why', () => {
  expect(writeStudentNotArrivedMessage(maya, ruth, alone)).toEqual({
    subject: "Maya hasn't arrived for the lesson at 4pm",
    text: "Hi Ruth,\n\nMaya's lesson at 4pm hasn't started yet because Maya isn't here. Please let me know whether Maya is on the way.\n\nAda",
  });
});

test('for an online lesson, the message says that the student has not joined', () => {
  const online = { ...maya, place: 'https://meet.example/maya' };
  const { subject, text } = writeStudentNotArrivedMessage(online, ruth, alone);
  expect(subject).toBe("Maya hasn't joined the lesson at 4pm");
  expect(text).toContain(
    "because Maya hasn't joined the call. Please let me know whether Maya is about to join.",
  );
});

test('for a group, the message says that the lesson has started without the student', () => {
  const { text } = writeStudentNotArrivedMessage(maya, ruth, { ...alone, isGroup: true });
  expect(text).toContain("Maya's lesson started at 4pm, but Maya isn't here yet.");
  const online = writeStudentNotArrivedMessage({ ...maya, place: 'Zoom' }, ruth, {
    ...alone,
    isGroup: true,
  });
  expect(online.text).toContain("Maya's lesson started at 4pm, but Maya hasn't joined yet.");
});

test('a student without a carer is addressed directly, and both times are given to a reader in another time zone', () => {
  const reader = { studentId: 5, timeZone: 'Asia/Dubai', tutorTimeZone: london };
  expect(writeStudentNotArrivedMessage(maya, { name: 'Maya Hale', reader }, alone)).toEqual({
    subject: "You haven't arrived for the lesson at 4pm London time (8pm your time)",
    text: "Hi Maya,\n\nYour lesson at 4pm London time (8pm your time) hasn't started yet because you aren't here. Please let me know whether you're on the way.\n\nAda",
  });
});
