import type { ReminderKind } from '@lessonbook/contract/messages';
import type { Tx } from '../../../../platform/db/database.ts';
import { findStoppedAddresses, normalizeAddress } from '../../queries/reminder-opt-outs.ts';
import { findBouncedAddresses, suppressionKey } from '../../queries/suppressions.ts';

/** The reasons why reminders to some addresses are not sent: the recipient has stopped them, or emails have bounced. */
export async function findUnreachable<T extends { channel: string; address: string }>(
  tx: Tx,
  tutorId: string,
  kind: ReminderKind,
  reminders: readonly T[],
): Promise<Map<T, 'stopped' | 'bounced'>> {
  if (reminders.length === 0) return new Map();
  const stopped = await findStoppedAddresses(tx, tutorId, kind);
  const bounced = await findBouncedAddresses(tx, tutorId, reminders);
  return new Map(
    reminders.flatMap((reminder): [T, 'stopped' | 'bounced'][] => {
      if (stopped.has(normalizeAddress(reminder.address))) return [[reminder, 'stopped']];
      return bounced.has(suppressionKey(reminder)) ? [[reminder, 'bounced']] : [];
    }),
  );
}

export async function filterReachable<T extends { channel: string; address: string }>(
  tx: Tx,
  tutorId: string,
  kind: ReminderKind,
  reminders: readonly T[],
): Promise<T[]> {
  const unreachable = await findUnreachable(tx, tutorId, kind, reminders);
  return reminders.filter((reminder) => !unreachable.has(reminder));
}
