import { expect, test } from 'vitest';
import { lessonStatus } from './lesson-status.ts';

test.each([
  ['all sessions scheduled', { scheduled: 3, completed: 0 }, false, 'scheduled'],
  ['one scheduled session left', { scheduled: 1, completed: 4 }, false, 'scheduled'],
  ['all sessions completed', { scheduled: 0, completed: 5 }, false, 'completed'],
  [
    'some sessions completed and the rest cancelled',
    { scheduled: 0, completed: 1 },
    false,
    'completed',
  ],
  ['all sessions cancelled', { scheduled: 0, completed: 0 }, false, 'cancelled'],
  [
    'all sessions completed but further sessions to generate',
    { scheduled: 0, completed: 5 },
    true,
    'scheduled',
  ],
  [
    'all sessions cancelled but further sessions to generate',
    { scheduled: 0, completed: 0 },
    true,
    'scheduled',
  ],
] as const)('derives the status of a lesson with %s', (_, counts, isOngoing, status) => {
  expect(lessonStatus(counts, isOngoing)).toBe(status);
});
