import { addDaysToDate } from '@lessonbook/contract/dates';
import { SUNDAY } from '../load/requests.ts';
import { GENERATED_UNTIL, NOW, TIME_ZONE, TODAY } from '../seed/generated-tutor-data.ts';
import type { Script } from './pgbench.ts';

/*
 * The leanest statements that return or write the same rows as an API call: a lower bound for the cost of the server's own
 * statements. Like those, they find the tutor by the login. They omit everything else that is not needed to return or write
 * the rows: checks, locks that only protect against concurrent requests, and row-level security. The tables keep their
 * constraints and indexes.
 */

const FIND_TUTOR = String.raw`select tutor_id as "tutorId" from logins where token_hash = :login \gset`;

const toScript = (lines: readonly string[], constants: Record<string, string>): Script => ({
  text: `${lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).join('\n')}\n`,
  constants,
  withoutRowSecurity: true,
});

const SESSION_COLUMNS = `id, lesson_id, date, start_time, end_time, status, title, subject_id, place`;

/** The dashboard's sessions with their details, the totals of two weeks, the time zone and reported transfers. */
export const createDashboardLowerBoundScript = (preamble: readonly string[]): Script =>
  toScript(
    [
      ...preamble,
      FIND_TUTOR,
      `select s.*, seats.student_id, seats.position, seats.state, seats.attendance, seats.fee, seats.currency, students.name, subjects.name, subjects.color, lessons.is_recurring,
         charges.amount - charges.credited, charges.outstanding, charges.paid_by_id,
         (select contacts.name from families
          join contacts on contacts.tutor_id = families.tutor_id and contacts.id = families.contact_id
          where families.tutor_id = :tutorId and families.id = s.family_id)
       from (
         (select 1 as list, null::bigint as size, null::int as charge_id, null::int as family_id, null::bigint as lessons, null::bigint as owed,
            null::bigint as overdue, null::text[] as student_names, ${SESSION_COLUMNS}
          from sessions
          where tutor_id = :tutorId and status = 'scheduled' and starts_at > :yesterday and ends_at > :now
          order by starts_at limit 5)
         union all
         (select 2, count(*) over (), null, null, null, null, null, null, ${SESSION_COLUMNS} from sessions
          where tutor_id = :tutorId and status = 'scheduled' and starts_at < :now and ends_at <= :now
          order by starts_at limit 5)
         union all
         (select 3, open.size, open.charge_id, open.family_id, open.lessons, open.owed, payer.overdue, payer.student_names, ${SESSION_COLUMNS}
          from (
            select family_id, currency, (array_agg(session_id order by due_date, id))[1] as session_id,
              (array_agg(id order by due_date, id))[1] as charge_id, count(*) as lessons,
              sum(outstanding) as owed, sum(count(*)) over ()::bigint as size
            from charges
            where tutor_id = :tutorId and outstanding > 0 and session_id is not null and due_date <= :today
            group by family_id, currency order by min(due_date) limit 5) open
          cross join lateral (
            select sum(c.outstanding) filter (where coalesce(i.due_on, c.due_date) < :today) as overdue,
              array_agg(distinct st.name) as student_names
            from charges c join students st on st.tutor_id = :tutorId and st.id = c.student_id
            left join invoices i on i.tutor_id = :tutorId and i.id = c.invoice_id
            where c.tutor_id = :tutorId and c.family_id = open.family_id and c.currency = open.currency
              and c.outstanding > 0 and c.session_id is not null) payer
          join sessions on sessions.tutor_id = :tutorId and sessions.id = open.session_id)) s
       join session_students seats on seats.tutor_id = :tutorId and seats.session_id = s.id
       join students on students.tutor_id = :tutorId and students.id = seats.student_id
       join subjects on subjects.tutor_id = :tutorId and subjects.id = s.subject_id
       join lessons on lessons.tutor_id = :tutorId and lessons.id = s.lesson_id
       left join charges on charges.tutor_id = :tutorId and charges.session_id = s.id
         and charges.student_id = seats.student_id and charges.kind in ('lesson', 'cancellation') and not charges.reversed
       where s.charge_id is null or charges.id = s.charge_id;`,
      `select s.date, x.currency, s.status, count(distinct s.id), sum(x.fee)
       from sessions s join session_students x on x.tutor_id = :tutorId and x.session_id = s.id and x.state = 'expected'
       where s.tutor_id = :tutorId and s.date between :from and :to and s.status in ('scheduled', 'completed')
       group by s.date, x.currency, s.status
       union all
       select paid_on, currency, 'received', 0, sum(amount) from payments
       where tutor_id = :tutorId and paid_on between :from and :to and kind in ('payment', 'refund') and not reversed
         and method <> 'opening'
       group by paid_on, currency;`,
      `select time_zone, payer.id, payer.transfer_claimed_at, payer.currency, payer.amount,
         (select contacts.name from families
          join contacts on contacts.tutor_id = families.tutor_id and contacts.id = families.contact_id
          where families.tutor_id = :tutorId and families.id = payer.id)
       from tutors
       left join (
         select families.tutor_id, families.id, transfer_claimed_at, currency, sum(outstanding) as amount
         from families join charges on charges.tutor_id = families.tutor_id and charges.family_id = families.id
         where families.tutor_id = :tutorId and transfer_claimed_at is not null and outstanding > 0
         group by 1, 2, 3, 4) payer on payer.tutor_id = tutors.tutor_id
       where tutors.tutor_id = :tutorId;`,
    ],
    {
      now: NOW,
      yesterday: `${addDaysToDate(TODAY, -1)}${NOW.slice(10)}`,
      today: TODAY,
      from: addDaysToDate(TODAY, -7),
      to: addDaysToDate(TODAY, 6),
    },
  );

/** A weekly lesson with 52 sessions, its idempotency key, and the rows that a new lesson updates. */
export const createLessonLowerBoundScript = (preamble: readonly string[]): Script =>
  toScript(
    [
      ...preamble,
      FIND_TUTOR,
      'begin;',
      'update tutors set revision = revision + 1 where tutor_id = :tutorId;',
      String.raw`with ids as (
         update id_sequences set last_id = last_id + case kind when 'lesson' then 1 else 52 end
         where tutor_id = :tutorId and kind in ('lesson', 'session') returning kind, last_id)
       select max(last_id) filter (where kind = 'lesson') as lesson_id,
         max(last_id) filter (where kind = 'session') as session_id
       from ids \gset last_`,
      `insert into lessons (tutor_id, id, subject_id, title, first_date, start_time, end_time, fee, currency,
         is_recurring, pattern, recurrence_start, generated_until, created_at)
       values (:tutorId, :last_lesson_id, 1, :title, :first, '00:00', '00:01', 3500, 'GBP', true, 'weekly', :first,
         :generatedUntil, :now);`,
      `insert into sessions (tutor_id, id, public_id, lesson_id, subject_id, title, occurrence_date, series_date,
         date, start_time, end_time, starts_at, ends_at, created_at)
       select :tutorId::uuid, :last_session_id::int - 51 + week, md5(:key::text || week), :last_lesson_id::int, 1, :title,
         date, date, date, '00:00', '00:01', starts_at, starts_at + interval '1 minute', :now::timestamptz
       from generate_series(0, 51) week,
         lateral (select :first::date + 7 * week as date) d,
         lateral (select date::timestamp at time zone :zone + :last_lesson_id::int * interval '1 minute' as starts_at) s;`,
      `insert into lesson_students (tutor_id, lesson_id, student_id, position, from_date)
       values (:tutorId, :last_lesson_id, 1, 0, '1900-01-01');`,
      `insert into session_students (tutor_id, session_id, student_id, position, fee, currency, fee_source)
       select :tutorId::uuid, :last_session_id::int - 51 + week, 1, 0, 3500, 'GBP', 'lesson' from generate_series(0, 51) week;`,
      `insert into tenant_schedule (tutor_id, kind, next_due_at) values (:tutorId, 'generate-sessions', :now)
       on conflict (tutor_id, kind) do update set next_due_at = least(tenant_schedule.next_due_at, excluded.next_due_at);`,
      `insert into idempotency_keys (tutor_id, key, request_hash, reply, created_at)
       values (:tutorId, :key, '\\x00', :title, :now);`,
      'commit;',
    ],
    {
      turn: '0',
      now: NOW,
      first: SUNDAY,
      zone: TIME_ZONE,
      generatedUntil: GENERATED_UNTIL,
      title: 'Maya Okafor - Maths',
    },
  );
