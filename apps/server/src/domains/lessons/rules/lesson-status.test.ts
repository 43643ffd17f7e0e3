import { expect, test } from 'vitest';
import { lessonStatus } from './lesson-status.ts';

test.each([
  ['none dealt with', { scheduled: 3, completed: 0 }, false, 'scheduled'],
  ['one still to come', { scheduled: 1, completed: 4 }, false, 'scheduled'],
  ['all taught', { scheduled: 0, completed: 5 }, false, 'completed'],
  ['some taught, the rest cancelled', { scheduled: 0, completed: 1 }, false, 'completed'],
  ['all cancelled', { scheduled: 0, completed: 0 }, false, 'cancelled'],
  ['all taught, but it goes on', { scheduled: 0, completed: 5 }, true, 'scheduled'],
  ['all cancelled, but it goes on', { scheduled: 0, completed: 0 }, true, 'scheduled'],
] as const)('a lesson with %s', (_, counts, goesOn, status) => {
  expect(lessonStatus(counts, goesOn)).toBe(status);
});
