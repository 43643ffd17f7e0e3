import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { queryFromSql } from '../../../platform/db/database.ts';
import type { ConferenceState } from '../rules/google-meet-conference-state.ts';
import { expectedStudentNames } from './student-names.ts';

export interface SessionToSync {
  id: number;
  publicId: string;
  status: string;
  date: string;
  startTime: string;
  endTime: string;
  startsAt: Date;
  endsAt: Date;
  /** Null for a lesson that uses Google Meet: its event has the link in its own field. */
  place: string | null;
  usesGoogleMeet: boolean;
  meetLink: string | null;
  title: string;
  /** The students who are expected. */
  studentNames: string[];
  subjectName: string;
}

/** Limits the sync to sessions that end at or after these times. */
export interface SyncWindow {
  /** Sessions without an event get one if they end at or after this. */
  insertFrom: Date;
  /** Sessions with an event are kept up to date if they, or their events, end at or after this. */
  updateFrom: Date;
}

/**
 * A session can move to a time before the window while its event in Google is still inside it, for example after a change
 * of time zone. An unconfirmed write may have put the event anywhere.
 */
const isInUpdateWindow = ({
  updateFrom,
}: SyncWindow) => sql<boolean>`(s.ends_at >= ${updateFrom}::timestamptz
  or e.synced_ends_at >= ${updateFrom}::timestamptz or e.pending_hash is not null)`;

/** Sessions that belong in the calendar: scheduled or completed, and in the window. */
export const sessionsToSync = (tx: Tx, tutorId: string, window: SyncWindow) =>
  queryFromSql(
    tx,
    sql<SessionToSync>`
      select s.id, s.public_id as "publicId", s.status, s.date, s.start_time as "startTime", s.end_time as "endTime",
        s.starts_at as "startsAt", s.ends_at as "endsAt", case when not s.uses_google_meet then s.place end as place,
        s.uses_google_meet as "usesGoogleMeet", s.meet_link as "meetLink", s.title,
        ${expectedStudentNames('s')} as "studentNames", b.name as "subjectName"
      from sessions s
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      left join calendar_events e on e.tutor_id = s.tutor_id and e.session_id = s.id and not e.removed
      where s.tutor_id = ${tutorId}::uuid and s.status in ('scheduled', 'completed')
        and (s.ends_at >= ${window.insertFrom}::timestamptz or (e.session_id is not null and ${isInUpdateWindow(window)}))
      order by s.starts_at, s.id`,
  );

/** Known events in the window, including removed ones. */
export const knownEvents = (tx: Tx, tutorId: string, window: SyncWindow) =>
  tx
    .selectFrom('calendar_events as e')
    .innerJoin('sessions as s', (join) =>
      join.onRef('s.tutor_id', '=', 'e.tutor_id').onRef('s.id', '=', 'e.session_id'),
    )
    .where('e.tutor_id', '=', tutorId)
    .where(isInUpdateWindow(window))
    .select([
      'e.session_id as sessionId',
      'e.event_id as eventId',
      'e.etag',
      'e.synced_hash as syncedHash',
      'e.synced_starts_at as syncedStartsAt',
      'e.synced_ends_at as syncedEndsAt',
      'e.pending_hash as pendingHash',
      'e.overwrite_remote as overwriteRemote',
      'e.removed',
      'e.rejected_hash as rejectedHash',
      'e.conference_number as conferenceNumber',
      'e.conference_checks as conferenceChecks',
      'e.conference_check_at as conferenceCheckAt',
    ])
    .select((eb) =>
      eb
        .ref('e.conference_status')
        .$castTo<ConferenceState['conferenceStatus']>()
        .as('conferenceStatus'),
    )
    .orderBy('e.session_id');

export type KnownEvent = RowOf<ReturnType<typeof knownEvents>>;

export type EventChange = Partial<Omit<KnownEvent, 'sessionId' | 'eventId'>>;

export async function saveEvent(
  tx: Tx,
  tutorId: string,
  event: { sessionId: number; eventId: string },
  change: EventChange,
): Promise<void> {
  // Kysely omits undefined values from the statement.
  const columns = {
    etag: change.etag,
    synced_hash: change.syncedHash,
    synced_starts_at: change.syncedStartsAt,
    synced_ends_at: change.syncedEndsAt,
    pending_hash: change.pendingHash,
    overwrite_remote: change.overwriteRemote,
    removed: change.removed,
    rejected_hash: change.rejectedHash,
    conference_status: change.conferenceStatus,
    conference_number: change.conferenceNumber,
    conference_checks: change.conferenceChecks,
    conference_check_at: change.conferenceCheckAt,
  };
  await tx
    .insertInto('calendar_events')
    .values({
      tutor_id: tutorId,
      session_id: event.sessionId,
      event_id: event.eventId,
      ...columns,
    })
    .onConflict((conflict) => conflict.columns(['tutor_id', 'session_id']).doUpdateSet(columns))
    .execute();
}

/** Saves the link that Google has created, unless the tutor has switched Google Meet off in the meantime. */
export async function saveMeetLink(
  tx: Tx,
  tutorId: string,
  sessionId: number,
  link: string,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ meet_link: link })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sessionId)
    .where('uses_google_meet', '=', true)
    .execute();
}

/** The next sync requests these conferences again. */
export async function resetFailedConferences(tx: Tx, tutorId: string): Promise<void> {
  await tx
    .updateTable('calendar_events')
    .set({ conference_status: null })
    .where('tutor_id', '=', tutorId)
    .where('conference_status', '=', 'failed')
    .execute();
}

export async function findEvent(
  tx: Tx,
  tutorId: string,
  sessionId: number,
): Promise<{ sessionId: number; eventId: string } | undefined> {
  return tx
    .selectFrom('calendar_events')
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sessionId)
    .select(['session_id as sessionId', 'event_id as eventId'])
    .executeTakeFirst();
}

export async function deleteAllEvents(tx: Tx, tutorId: string): Promise<void> {
  await tx.deleteFrom('calendar_events').where('tutor_id', '=', tutorId).execute();
}
