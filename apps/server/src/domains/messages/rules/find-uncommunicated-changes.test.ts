import { describe, expect, test } from 'vitest';
import {
  type Communication,
  communicationsToCorrect,
  latestCommunication,
  pendingChange,
} from './find-uncommunicated-changes.ts';

const slot = (hour: number, minutes = 60) => {
  const startsAt = new Date(Date.UTC(2026, 10, 17, hour));
  return { startsAt, endsAt: new Date(startsAt.getTime() + minutes * 60_000) };
};
const [A, B] = [slot(16), slot(18)];
const now = new Date('2026-11-16T12:00:00Z');

const communication = (
  messageId: number,
  overrides: Partial<Communication> = {},
): Communication => ({
  messageId,
  kind: 'lesson_change',
  state: 'sent',
  mayHaveBeenSent: true,
  channel: 'email',
  address: 'ruth@hale.example',
  takesPlace: true,
  ...A,
  ...overrides,
});

describe('pendingChange', () => {
  const cancelled = { ...A, takesPlace: false };
  test.each([
    ['nothing', communication(1), A, null],
    ['a move', communication(1), B, 'moved'],
    ['a different duration', communication(1), slot(16, 90), 'moved'],
    ['a cancellation', communication(1), null, 'cancelled'],
    ['nothing, because the cancellation has already been sent', cancelled, null, null],
    ['a reinstatement', cancelled, A, 'restored'],
    ['a reinstatement at a different time', cancelled, B, 'restored'],
  ] as const)('F12 finds %s', (_, last, current, change) => {
    expect(pendingChange(last, current)).toBe(change);
  });
});

describe('latestCommunication', () => {
  test('F12 is the latest message that the recipient is assumed to have', () => {
    expect(latestCommunication([communication(2, B), communication(1)])?.messageId).toBe(2);
    for (const state of ['failed', 'dismissed', 'draft'])
      expect(
        latestCommunication([communication(1), communication(2, { ...B, state })])?.messageId,
      ).toBe(1);
    for (const state of ['waiting', 'opened', 'sent', 'delivered', 'read'])
      expect(
        latestCommunication([communication(1), communication(2, { ...B, state })])?.messageId,
      ).toBe(2);
  });

  test('F12 counts a skipped notice only if it may have been sent', () => {
    const latestIdWithSkipped = (mayHaveBeenSent: boolean) =>
      latestCommunication([
        communication(1),
        communication(2, { ...B, state: 'skipped', mayHaveBeenSent }),
      ])?.messageId;
    expect(latestIdWithSkipped(false)).toBe(1);
    expect(latestIdWithSkipped(true)).toBe(2);
  });

  test('F12 counts a reminder only once it has been sent or may have been', () => {
    const reminder = (overrides: Partial<Communication>) =>
      latestCommunication([communication(1, { kind: 'lesson_reminder', ...overrides })])?.messageId;
    expect(reminder({ state: 'sent' })).toBe(1);
    expect(reminder({ state: 'waiting' })).toBeUndefined();
    expect(reminder({ state: 'draft' })).toBeUndefined();
    expect(reminder({ state: 'skipped', mayHaveBeenSent: false })).toBeUndefined();
    expect(reminder({ state: 'skipped', mayHaveBeenSent: true })).toBe(1);
  });
});

describe('communicationsToCorrect', () => {
  const ids = (communications: Communication[], current: typeof A | null, at = now) =>
    communicationsToCorrect(communications, current, at).map(({ messageId }) => messageId);
  const whatsApp = { channel: 'whatsapp', address: '+447700900123' };

  test('F13 returns one for each address that was sent the wrong time', () => {
    expect(ids([communication(1), communication(2, whatsApp)], B)).toEqual([1, 2]);
    expect(ids([communication(1), communication(2, whatsApp)], A)).toEqual([]);
  });

  test('F13 returns none if the recipient was sent the current time on another channel', () => {
    expect(ids([communication(1), communication(2, { ...B, ...whatsApp })], B)).toEqual([]);
  });

  test('F13 returns none for a notice that failed or was dismissed, until the time changes again', () => {
    const failed = communication(2, { ...B, state: 'failed' });
    expect(ids([communication(1), failed], B)).toEqual([]);
    expect(ids([communication(1), failed], null)).toEqual([1]);
  });

  test('F13 returns none while a draft with the current time waits for the tutor', () => {
    const draft = communication(2, { ...B, ...whatsApp, state: 'draft', mayHaveBeenSent: false });
    expect(ids([communication(1), draft], B)).toEqual([]);
    expect(ids([communication(1), draft], null)).toEqual([1]);
  });

  test('F13 returns none once both times have passed', () => {
    expect(ids([communication(1)], B, new Date('2026-11-17T17:00:00Z'))).toEqual([1]);
    expect(ids([communication(1)], B, new Date('2026-11-17T19:00:00Z'))).toEqual([]);
    expect(ids([communication(1)], null, new Date('2026-11-17T17:00:00Z'))).toEqual([]);
  });
});
