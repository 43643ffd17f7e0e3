import { expect, test } from 'vitest';
import { changeTemplateValues } from './change-text.ts';

const change = {
  studentName: 'Maya',
  summary: 'Maya: Maths, 4:00 pm to 5:00 pm, https://meet.example/maya',
  date: '2026-11-17',
  newSlot: null,
};

test('F87 a cancelled lesson has no meeting link', () => {
  const { lessons } = changeTemplateValues('cancelled', [change], '2026-11-16');
  expect(lessons).toBe('Tue 17 Nov, Maya: Maths, 4:00 pm to 5:00 pm');
  const restored = changeTemplateValues('restored', [change], '2026-11-16');
  expect(restored.lessons).toContain('https://meet.example/maya');
});
