import { expect, test } from 'vitest';
import { changeTemplateValues } from './lesson-change-notice-text.ts';

const READER = { studentId: null, timeZone: 'Europe/London', tutorTimeZone: 'Europe/London' };
const change = {
  known: {
    studentName: 'Maya',
    summary: 'Maya: Maths, 4pm to 5pm',
    date: '2026-11-17',
    startTime: '16:00',
    endTime: '17:00',
  },
  newSlot: null,
  session: {
    studentId: 1,
    subjectName: 'Maths',
    place: 'https://meet.example/maya',
    cancelledBy: 'tutor',
    cancellationFee: null,
  },
};

test('F87 a cancelled lesson has no meeting link', () => {
  const { values } = changeTemplateValues('cancelled', [change], '2026-11-16', READER);
  expect(values.lessons).toBe('Tue 17 Nov, Maya: Maths, 4pm to 5pm');
  const restored = changeTemplateValues('restored', [change], '2026-11-16', READER);
  expect(restored.values.lessons).toBe(
    'Tue 17 Nov, Maya: Maths, 4pm to 5pm, https://meet.example/maya',
  );
});
