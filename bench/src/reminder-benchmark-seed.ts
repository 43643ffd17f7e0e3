import type pg from 'pg';

/** The first worker's clock: the day before the lessons, when all reminders are due, hours before the quiet hours begin. */
export const WORKER_CLOCK = '2026-11-16T17:30:00Z';
const TOMORROW = '2026-11-17';
const LAST_MONTH = `timestamptz '2026-10-16T09:00:00Z'`;
export const LESSONS_PER_TUTOR = 100;
/** Every twentieth lesson is already cancelled when the reminder job runs. */
const CANCELLED_INTERVAL = 20;

/** Seeds a hundred students per tutor, each with a lesson tomorrow and a unique address. Returns the number of reminders due. */
export async function seedReminderLoad(client: pg.Client, lessons: number): Promise<number> {
  const tutors = Math.ceil(lessons / LESSONS_PER_TUTOR);
  const run = (text: string) => client.query(text);
  await run(`create temporary table t as
    select gen_random_uuid() as tutor_id, n from generate_series(1, ${tutors}) as n`);
  await run(`insert into tutors (tutor_id, public_id, name, time_zone, trial_ends_at, created_at)
    select tutor_id, 'tutor' || n, 'Tutor ' || n, 'Europe/London', now(), now() from t`);
  await run(`insert into login_directory (tutor_id, username, username_key, email, email_key, email_verified_at)
    select tutor_id, 'tutor' || n, 'tutor' || n, 'tutor' || n || '@example.com', 'tutor' || n || '@example.com', now() from t`);
  await run(`insert into subjects (tutor_id, id, name, default_fee, currency, color, created_at)
    select tutor_id, 1, 'Maths', 3500, 'GBP', 'pine', now() from t`);
  await run(`create temporary table s as
    select t.tutor_id, t.n, i, i % ${CANCELLED_INTERVAL} = 0 as cancelled from t, generate_series(1, ${LESSONS_PER_TUTOR}) as i`);
  const email = `case when cancelled then 'cancelled' else 'family' end || n || '-' || i || '@families.example'`;
  await run(`insert into contacts (tutor_id, id, public_id, name, email, created_at)
    select tutor_id, i, 'c' || n || '-' || i, 'Student ' || i, ${email}, now() from s`);
  await run(`insert into students (tutor_id, id, public_id, name, email, contact_id, created_at)
    select tutor_id, i, 's' || n || '-' || i, 'Student ' || i, ${email}, i, now() from s`);
  await run('update contacts set student_id = id');
  await run(`insert into contact_access (tutor_id, contact_id, student_id, sees_lessons, sees_place, sees_notes, sees_money,
      may_cancel, may_ask)
    select tutor_id, i, i, true, true, true, true, true, true from s`);
  await run(`insert into families (tutor_id, id, public_id, contact_id, payment_reference, created_at)
    select tutor_id, i, 'f' || n || '-' || i, i, 'F' || i, now() from s`);
  await run(`insert into shared_links (public_id, tutor_id, kind, target_id, created_at)
    select left(md5(n || '-' || i), 16), tutor_id, 'balance', i, now() from s`);
  await run(`insert into student_payers (tutor_id, student_id, family_id, percent, position, from_date)
    select tutor_id, i, i, 100, 0, '1900-01-01' from s`);
  const timeOfDay = (minutes: string) =>
    `to_char(time '00:30' + (${minutes}) * interval '1 minute', 'HH24:MI')`;
  const instant = (minutes: string) =>
    `timestamptz '${TOMORROW} 00:30Z' + (${minutes}) * interval '1 minute'`;
  await run(`insert into lessons (tutor_id, id, subject_id, title, first_date, start_time, end_time, fee, currency,
      is_recurring, pattern, recurrence_start, generated_until, created_at)
    select tutor_id, i, 1, 'Lesson', '${TOMORROW}', ${timeOfDay('i * 10')}, ${timeOfDay('i * 10 + 10')}, 3500, 'GBP', false,
      'weekly', '${TOMORROW}', '${TOMORROW}', now() from s`);
  await run(`insert into sessions (tutor_id, id, public_id, lesson_id, subject_id, title, occurrence_date, series_date, date,
      start_time, end_time, starts_at, ends_at, status, cancelled_by, created_at)
    select tutor_id, i, 'p' || n || '-' || i, i, 1, 'Lesson', '${TOMORROW}', '${TOMORROW}', '${TOMORROW}',
      ${timeOfDay('i * 10')}, ${timeOfDay('i * 10 + 10')}, ${instant('i * 10')}, ${instant('i * 10 + 10')},
      case when cancelled then 'cancelled' else 'scheduled' end, case when cancelled then 'tutor' end, now() from s`);
  await run(`insert into lesson_students (tutor_id, lesson_id, student_id, position, from_date)
    select tutor_id, i, i, 0, '1900-01-01' from s`);
  await run(`insert into session_students (tutor_id, session_id, student_id, position, fee, currency, fee_source)
    select tutor_id, i, i, 0, 3500, 'GBP', 'lesson' from s`);
  await run(`insert into reminder_settings (tutor_id, enabled_at, lead_minutes, channels, recipient, overdue_enabled, overdue_days, templates)
    select tutor_id, now(), 1440, '{email}', 'carer', false, '{3,7,14}', '{}' from t`);
  await run(
    `insert into tenant_schedule (tutor_id, kind, next_due_at) select tutor_id, 'reminders', '2026-11-16T00:00:00Z' from t`,
  );
  // Last month's reminders. With empty tables, statements would be planned as scans of the whole table.
  await run(`insert into messages (tutor_id, id, public_id, dedupe_key, kind, channel, state, automatic, family_id, to_name,
      address, subject, text, attempts, created_at, sent_at, lesson_date)
    select tutor_id, i, 'm' || n || '-' || i, 'past ' || i, 'lesson_reminder', 'email', 'sent', true, i, 'Student ' || i,
      ${email}, 'Lesson reminder', 'A reminder of the lesson', 1, ${LAST_MONTH}, ${LAST_MONTH}, ${LAST_MONTH} from s`);
  await run(`insert into message_sessions (tutor_id, message_id, session_id, student_id, student_name, summary, recipient,
      session_starts_at, session_ends_at)
    select tutor_id, i, i, i, 'Student', 'Maths', 's' || i, ${LAST_MONTH}, ${LAST_MONTH} from s`);
  await run(
    `insert into id_sequences (tutor_id, kind, last_id) select tutor_id, 'message', ${LESSONS_PER_TUTOR} from t`,
  );
  await run('analyze');
  return tutors * (LESSONS_PER_TUTOR - LESSONS_PER_TUTOR / CANCELLED_INTERVAL);
}
