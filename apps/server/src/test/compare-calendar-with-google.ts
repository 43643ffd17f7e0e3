import type { FakeGoogle } from '@lessonbook/fakes/google';
import type pg from 'pg';

/* Compares a tutor's sessions in the database with the events in the fake Google calendar, without using server code. */

const toUsername = (user: string): string => user.split('@')[0] ?? '';

export async function compareCalendar(
  adminDb: pg.Pool,
  control: FakeGoogle['control'],
  /** The Google address, whose local part is the tutor's username. */
  user: string,
): Promise<{ lessons: number; moved: number; differences: string[] }> {
  const ours = await readScheduledLessons(adminDb, toUsername(user));
  const theirs = await readGoogleEvents(control, user, ours.calendarId);
  const differences = [
    ...ours.requiredLines
      .filter((line) => !theirs.includes(line))
      .map((line) => `only in the database: ${line}`),
    ...theirs.filter((line) => !ours.lines.includes(line)).map((line) => `only in Google: ${line}`),
    ...(new Set(theirs).size === theirs.length ? [] : ['duplicate event']),
  ];
  return {
    lessons: ours.requiredLines.length,
    moved: ours.moved,
    differences: differences.map((difference) => `${user}: ${difference}`),
  };
}

/** Ends backoff delays and the leases of dead workers. A live run finishes long before its lease is this close to expiring. */
export async function skipCalendarDelays(adminDb: pg.Pool, user?: string): Promise<void> {
  const tutorCondition = `tutor_id in (select tutor_id from login_directory where $1::text is null or username = $1)`;
  for (const statement of [
    `update calendar_connections set next_try_at = null, due_at = now() where encrypted_token is not null and ${tutorCondition}`,
    `update calendar_connections set leased_until = null where leased_until < now() + interval '40 seconds' and ${tutorCondition}`,
    `update tenant_schedule set next_due_at = now() where kind = 'calendar' and ${tutorCondition}`,
  ]) {
    // This may deadlock with a worker that locks the same rows in a different order; the next call succeeds.
    await adminDb
      .query(statement, [user === undefined ? null : toUsername(user)])
      .catch(() => undefined);
  }
}

/** A lesson that ended before the calendar was connected has an event only if it was moved there later. */
async function readScheduledLessons(adminDb: pg.Pool, username: string) {
  const { rows } = await adminDb.query<{ line: string; calendar_id: string; required: boolean }>(
    `select l.calendar_id, s.ends_at >= l.synced_from as required, s.public_id || ' ' || to_char(s.starts_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' ' ||
       to_char(s.ends_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' ' ||
       case s.status when 'completed' then '✓ ' else '' end || (
         select string_agg(name, ', ' order by n) filter (where n <= 3)
           || case when count(*) > 3 then ' and ' || (count(*) - 3) || ' more' else '' end
         from (
           select split_part(st.name, ' ', 1) as name, row_number() over (order by x.position, st.id) as n
           from session_students x join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
           where x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected') as names) || ': ' || b.name
       || ' @' || case when s.uses_google_meet then coalesce(s.meet_link, 'no link') else coalesce(s.place, '') end as line
     from login_directory d
     join calendar_connections l on l.tutor_id = d.tutor_id
     join sessions s on s.tutor_id = d.tutor_id and s.status in ('scheduled', 'completed')
     join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
     where d.username = $1`,
    [username],
  );
  const moved = await adminDb.query<{ count: number }>(
    `select count(*)::int as count from sessions s join login_directory d on d.tutor_id = s.tutor_id
     where d.username = $1 and s.rescheduled_from_id is not null`,
    [username],
  );
  return {
    calendarId: rows[0]?.calendar_id ?? '',
    lines: rows.map((row) => row.line),
    requiredLines: rows.filter((row) => row.required).map((row) => row.line),
    moved: moved.rows[0]?.count ?? 0,
  };
}

async function readGoogleEvents(
  control: FakeGoogle['control'],
  user: string,
  calendarId: string,
): Promise<string[]> {
  const [report] = await control.report(user);
  const googleCalendar = report?.calendars.find((each) => each.id === calendarId && !each.deleted);
  const formatUtc = (text: string | null | undefined) =>
    new Date(text ?? '').toISOString().slice(0, 16).replace('T', ' ');
  return (googleCalendar?.events ?? [])
    .filter((event) => event.status !== 'cancelled')
    .map(({ privateProperties, summary, resource: { start, end, location, hangoutLink } }) =>
      [
        privateProperties['sessionId'],
        formatUtc(start?.dateTime),
        formatUtc(end?.dateTime),
        summary,
        `@${location ?? ''}${hangoutLink ?? ''}`,
      ].join(' '),
    );
}
