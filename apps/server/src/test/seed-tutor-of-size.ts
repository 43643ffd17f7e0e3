import type pg from 'pg';

export interface TutorSize {
  students: number;
  families: number;
  years: number;
}

/** Ids of seeded rows are higher than this, so that they do not collide with the tutor's existing rows. */
const ID_OFFSET = 1_000_000;
const SESSIONS_PER_WEEK = 40;
const FUTURE_WEEKS = 12;
const ID_KINDS = 'contact,student,family,lesson,session,charge,payment,allocation,invoice'.split(
  ',',
);

/**
 * Adds students, families, lessons, charges, payments and invoices to a tutor with one statement for each table. The
 * tutor needs subject 1. Two thirds of the payers are carers; every third student owes for the latest lesson; every
 * fourth lesson has its own invoice. Lessons are from 01:00 to 09:00 UTC. The owner of the tables must run VACUUM and
 * ANALYZE afterwards.
 */
export async function seedTutorOfSize(
  client: Pick<pg.ClientBase, 'query'>,
  tutorId: string,
  today: string,
  { students, families, years }: TutorSize,
): Promise<void> {
  const carers = Math.ceil((families * 2) / 3);
  const pastSessions = SESSIONS_PER_WEEK * 52 * years;
  const sessions = pastSessions + SESSIONS_PER_WEEK * FUTURE_WEEKS;
  const run = (text: string, ...values: unknown[]) =>
    client.query(text, [tutorId, ID_OFFSET, ...values]);

  // Contacts and families have the same ids: the carers first, then the students who pay for themselves.
  await run(
    `insert into contacts (tutor_id, id, public_id, name, email, created_at)
     select $1, $2::int + n, 'contact' || n,
       case when n > $4::int then 'Student ' || n - $4::int else 'Carer ' || n end,
       case when n <= $4::int then 'carer' || n || '@example.com' end, now()
     from generate_series(1, $3::int) as n`,
    families,
    carers,
  );
  await run(
    `insert into students (tutor_id, id, public_id, name, contact_id, created_at)
     select $1, $2::int + n, 'student' || n, 'Student ' || n,
       $2::int + case when n > $4::int then 1 + n % $5::int else $5::int + n end, now()
     from generate_series(1, $3::int) as n`,
    students,
    families - carers,
    carers,
  );
  await run(
    `update contacts set student_id = id - $3::int where tutor_id = $1 and id > $2::int + $3::int`,
    carers,
  );
  await run(
    `insert into contact_access (tutor_id, contact_id, student_id, sees_lessons, sees_place, sees_notes, sees_money,
       may_cancel, may_ask)
     select $1, s.contact_id, s.id, true, true, true, true, true, true
     from students s where s.tutor_id = $1 and s.id > $2::int`,
  );
  await run(
    `insert into families (tutor_id, id, public_id, contact_id, payment_reference, created_at)
     select $1, $2::int + n, 'family' || n, $2::int + n, 'REF' || n, now()
     from generate_series(1, $3::int) as n`,
    families,
  );
  await run(
    `insert into shared_links (public_id, tutor_id, kind, target_id, created_at)
     select left(md5($1::text || n), 16), $1::uuid, 'balance', $2::int + n, now()
     from generate_series(1, $3::int) as n`,
    families,
  );
  await run(
    `insert into student_payers (tutor_id, student_id, family_id, percent, position, from_date)
     select $1, s.id, s.contact_id, 100, 0, '1900-01-01' from students s where s.tutor_id = $1 and s.id > $2::int`,
  );
  await run(
    `insert into lessons (tutor_id, id, subject_id, title, first_date, start_time, end_time, fee, currency,
       is_recurring, pattern, recurrence_start, generated_until, created_at)
     select $1, $2::int + n, 1, 'Student ' || n, $4::date, '09:00', '10:00', 3500, 'GBP', true, 'weekly',
       $4::date, $4::date + 365, now()
     from generate_series(1, $3::int) as n`,
    students,
    today,
  );
  await run(
    `insert into lesson_students (tutor_id, lesson_id, student_id, position, from_date)
     select $1, $2::int + n, $2::int + n, 0, '1900-01-01' from generate_series(1, $3::int) as n`,
    students,
  );
  await run(
    `insert into sessions (tutor_id, id, public_id, lesson_id, subject_id, title, occurrence_date, date,
       start_time, end_time, starts_at, ends_at, status, created_at)
     select $1, $2::int + n, 'session' || n, $2::int + 1 + n % $4::int, 1,
       'Student ' || 1 + n % $4::int, slot.date, slot.date, slot.hour || ':00', slot.hour || ':50',
       (slot.date + (slot.hour || ':00')::time) at time zone 'UTC',
       (slot.date + (slot.hour || ':50')::time) at time zone 'UTC',
       case when n <= $5::int then 'completed' else 'scheduled' end, now()
     from generate_series(1, $3::int) as n,
       lateral (select
         date_trunc('week', $6::date)::date + 7 * floor((n - 1 - $5::int) / 40.0)::int + (n - 1) % 40 / 8 as date,
         '0' || 1 + (n - 1) % 8 as hour) as slot`,
    sessions,
    students,
    pastSessions,
    today,
  );
  await run(
    `insert into session_students (tutor_id, session_id, student_id, position, fee, currency, fee_source, attendance, is_billable)
     select $1, s.id, s.lesson_id, 0, 3500, 'GBP', 'lesson', case when s.status = 'completed' then 'attended' end,
       s.status = 'completed'
     from sessions s where s.tutor_id = $1 and s.id > $2::int`,
  );
  // The past sessions with their payer, and whether they are unpaid.
  const billed = `
    (select s.id, x.student_id, s.date, st.contact_id as family_id,
       s.id - $2::int > $3::int - $4::int and (s.id - $2::int) % $4::int % 3 = 0 as is_unpaid,
       case when s.id % 4 = 0 then s.id end as invoice_id
     from sessions s
     join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
     join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
     where s.tutor_id = $1 and s.id between $2::int + 1 and $2::int + $3::int) as b`;
  await run(
    `insert into payments (tutor_id, id, public_id, family_id, kind, amount, currency, method, paid_on, unallocated,
       created_by, created_at)
     select $1, b.id, 'payment' || b.id, b.family_id, 'payment', 3500, 'GBP', 'bank_transfer', b.date, 0, 'tutor', now()
     from ${billed} where not b.is_unpaid`,
    pastSessions,
    students,
  );
  await run(
    `insert into invoices (tutor_id, id, public_id, kind, family_id, currency, created_by, created_at)
     select $1, b.id, 'invoice' || b.id, 'invoice', b.family_id, 'GBP', 'tutor', now()
     from ${billed} where b.invoice_id is not null`,
    pastSessions,
    students,
  );
  await run(
    `insert into charges (tutor_id, id, public_id, family_id, student_id, session_id, kind, amount, currency, due_date,
       invoice_id, outstanding, paid_by_id, created_by, created_at)
     select $1, b.id, 'charge' || b.id, b.family_id, b.student_id, b.id, 'lesson', 3500, 'GBP', b.date, b.invoice_id,
       case when b.is_unpaid then 3500 else 0 end, case when not b.is_unpaid then b.id end, 'tutor', now()
     from ${billed}`,
    pastSessions,
    students,
  );
  await run(
    `insert into allocations (tutor_id, id, payment_id, charge_id, amount, created_at)
     select $1, p.id, p.id, p.id, 3500, now() from payments p where p.tutor_id = $1 and p.id > $2::int`,
  );
  await run(
    `insert into invoice_lines (tutor_id, invoice_id, position, charge_id, session_id, student_id, student_name,
       description, date, amount)
     select $1, c.invoice_id, 1, c.id, c.session_id, c.student_id, 'Student', 'Maths', c.due_date, c.amount
     from charges c where c.tutor_id = $1 and c.invoice_id > $2::int`,
  );
  await run(
    `update invoices i set sequence = i.id, number = 'INV-' || i.id, parties_snapshot = '{}',
       issued_on = l.date, issued_at = l.date, due_on = l.date + 14
     from invoice_lines l
     where i.tutor_id = $1 and i.id > $2::int and l.tutor_id = i.tutor_id and l.invoice_id = i.id`,
  );
  await run(
    `insert into shared_links (public_id, tutor_id, kind, target_id, created_at)
     select left(md5(i.tutor_id::text || 'invoice' || i.id), 16), i.tutor_id, 'invoice', i.id, i.issued_at
     from invoices i where i.tutor_id = $1 and i.id > $2::int and i.issued_at is not null`,
  );
  await run(
    `insert into id_sequences (tutor_id, kind, last_id) select $1, kind, $2::int + $3::int from unnest($4::text[]) as kind
     on conflict (tutor_id, kind) do update set last_id = excluded.last_id`,
    sessions + students,
    ID_KINDS,
  );
  await run(
    `insert into business_settings (tutor_id, next_invoice_number) values ($1, $2::int + $3::int)
     on conflict (tutor_id) do update set next_invoice_number = excluded.next_invoice_number`,
    sessions + 1,
  );
}
