import { isOnlinePlace } from '@lessonbook/contract/detect-online-place';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import {
  expectedSeatsOf,
  restoreCancelledDays,
  restorePlaces,
  type SessionRecord,
} from '../../lessons/service/move-days-online-or-cancel.ts';
import {
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import { sendBulkNotices } from '../../messages/service/outbound/bulk-change-notices.ts';
import {
  type ChangedSessionRecord,
  type DayChangeRecord,
  sessionsOfDayChange,
  updateDayChange,
} from '../queries/day-changes.ts';
import { getDayChangeOrThrow } from './change-days.ts';

const NONE = { restored: 0, emailed: 0, toSend: 0, notSent: 0 };

/**
 * Restores the upcoming lessons and notifies the families that were notified of the change. Counts the people who can't
 * be sent a message, for example because too many emails were sent today. A second request does nothing.
 */
export async function undoDayChange(
  context: Context,
  tutorId: string,
  id: number,
): Promise<typeof NONE> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const { tx, now } = schedule;
    const change = await getDayChangeOrThrow(tx, tutorId, id);
    if (change.undoneAt !== null) return NONE;
    const rows = await sessionsOfDayChange(tx, tutorId, id).execute();
    const restored = await restore(schedule, change, rows);
    await updateDayChange(tx, tutorId, id, { undone_at: now });
    const notified = new Set(
      rows.flatMap(({ sessionId, isNotified }) =>
        (isNotified ?? change.notifiesFamilies) ? sessionId : [],
      ),
    );
    const toNotify = restored.filter(
      (session) => notified.has(session.id) && (change.action === 'cancel' || !isOnline(session)),
    );
    const sent = await sendBulkNotices(context, tx, tutorId, {
      kind: change.action === 'online' ? 'in_person' : 'restored',
      seats: expectedSeatsOf(toNotify),
      sendsWithinQuota: true,
    });
    await recordAudit(tx, tutorId, {
      action: 'days_change_undone',
      at: now,
      metadata: { lessons: restored.length },
    });
    return { ...sent, restored: restored.length };
  });
}

/** A restored lesson may be online because its series has moved online in the meantime. */
const isOnline = ({ place, usesGoogleMeet }: SessionRecord): boolean =>
  usesGoogleMeet || isOnlinePlace(place);

async function restore(
  schedule: ScheduleTx,
  change: DayChangeRecord,
  rows: readonly ChangedSessionRecord[],
): Promise<SessionRecord[]> {
  if (change.action === 'cancel')
    return change.timeOffId === null
      ? []
      : restoreCancelledDays(schedule, change, change.timeOffId);
  return restorePlaces(
    schedule,
    rows.map(({ sessionId, place, usesGoogleMeet, ...row }) => ({
      sessionId,
      place,
      usesGoogleMeet,
      previous: {
        place: row.previousPlace,
        usesGoogleMeet: row.previousUsesGoogleMeet,
        isOverride: row.previousIsOverride,
      },
    })),
  );
}
