import { REMINDER_KINDS, type ReminderKind } from '@lessonbook/contract/messages';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import {
  findStoppedKinds,
  replaceOptOuts,
  skipStoppedReminders,
} from '../../queries/reminder-opt-outs.ts';
import { formatReminderKinds } from '../../rules/reminder-kinds.ts';
import { notify } from '../notifications/notifications.ts';

/** The owner of an email address who chooses which reminders to get. */
export interface ReminderRecipient {
  /** Identifies the recipient in the keys of notifications. */
  key: string;
  name: string;
  email: string;
  familyId: number | null;
}

const SKIPPED_TEXT = 'They unsubscribed from these reminders before this one was sent.';

/** Stops the given kinds of reminders, restarts the others and notifies the tutor. Idempotent. */
export async function replaceStoppedKinds(
  context: Context,
  tx: Tx,
  tutorId: string,
  recipient: ReminderRecipient,
  stoppedKinds: readonly ReminderKind[],
): Promise<void> {
  const before = await findStoppedKinds(tx, tutorId, recipient.email);
  await replaceOptOuts(tx, tutorId, recipient.email, stoppedKinds, context.clock.now());
  const stopped = REMINDER_KINDS.filter(
    (kind) => stoppedKinds.includes(kind) && !before.includes(kind),
  );
  const started = before.filter((kind) => !stoppedKinds.includes(kind));
  for (const kind of stopped) await skipStoppedReminders(tx, tutorId, kind, SKIPPED_TEXT);
  await notifyPreferences(context, tx, tutorId, recipient, 'stopped', stopped);
  await notifyPreferences(context, tx, tutorId, recipient, 'started', started);
}

async function notifyPreferences(
  context: Context,
  tx: Tx,
  tutorId: string,
  { key, name, familyId }: ReminderRecipient,
  change: 'stopped' | 'started',
  kinds: readonly ReminderKind[],
): Promise<void> {
  if (kinds.length === 0) return;
  const { timeZone } = await getTutor(tx, tutorId);
  const reminders = formatReminderKinds(kinds);
  await notify(context, tx, tutorId, {
    kind: 'reminders_stopped',
    // At most one notification a day for each choice, even if the recipient changes it repeatedly.
    dedupeKey: `reminders ${key} ${change} ${kinds.join(' ')} ${dateInZone(timeZone, context.clock.now())}`,
    text:
      change === 'stopped'
        ? `${name} has unsubscribed from ${reminders}. They'll still get invoices and changes to lessons.`
        : `${name} will get ${reminders} again.`,
    path: familyId === null ? null : `/families/${familyId}`,
    requiresAction: false,
  });
}
