import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { TutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { formatShortDate } from '../../rules/format-dates-and-lessons.ts';
import {
  getReminderPauseTime,
  inactivityState,
  PAUSE_AFTER_DAYS,
} from '../../rules/tutor-inactivity.ts';
import { notify } from '../notifications/notifications.ts';

/**
 * Returns whether reminders are paused because the tutor has not used Lessonbook for three weeks. The tutor is emailed three
 * days beforehand and again when reminders stop, once for each absence.
 */
export async function pauseIfInactive(
  context: Context,
  tx: Tx,
  tutorId: string,
  { lastActiveAt, timeZone, isDemo }: TutorContact,
): Promise<boolean> {
  const now = context.clock.now();
  const state = inactivityState(lastActiveAt, now);
  if (isDemo || state === 'active') return false;
  const pauseOn = dateInZone(timeZone, getReminderPauseTime(lastActiveAt));
  const day = formatShortDate(pauseOn, dateInZone(timeZone, now));
  await notify(context, tx, tutorId, {
    kind: 'reminders_paused',
    dedupeKey: `inactive ${state} ${lastActiveAt.toISOString()}`,
    text:
      state === 'paused'
        ? `We've stopped sending reminders to your families, because you haven't used Lessonbook for ${PAUSE_AFTER_DAYS} days. They start again when you log in.`
        : `Reminders to your families will stop on ${day} unless you open Lessonbook before then. We do this so that families aren't reminded of lessons that are no longer taking place.`,
    path: '/dashboard',
    requiresAction: false,
  });
  return state === 'paused';
}
