import { addDaysToDate } from '@lessonbook/contract/dates';
import { invoices } from '@lessonbook/contract/invoices';
import { type LessonInput, lessons } from '@lessonbook/contract/lessons';
import { MAX_GROUP_STUDENTS, sessions } from '@lessonbook/contract/sessions';
import type pg from 'pg';
import { createTutorAccount, type TutorAccount } from '../security-fuzz/tutor-accounts.ts';
import { verifyAndBackdateAccount } from './measured-tutor.ts';
import type { Target } from './start-system-under-test.ts';

/** Tutor A: rows in every table, thousands of students and twenty years of lessons. */
export interface LargeAccount extends TutorAccount {
  /** An issued invoice with the maximum number of lines, each of the maximum length. */
  invoiceId: number;
  invoiceToken: string;
  importFile: string;
}

export const USERNAME = 'tutor.a';
const STUDENTS = 4_500;
const CARERS = 3_000;
const LESSONS = 200;
const YEARS = 20;
const ROWS_IN_LISTS = 3_000;
/** Ids of the generated rows start here. */
const FIRST_ID = 10_000;
/** The first generated lesson has a session every week for twenty years; its family pays for all of them. */
export const LARGE_RECORDS = { student: FIRST_ID, lesson: FIRST_ID, family: FIRST_ID };

const MAX_LINES = 500;
const MAX_DESCRIPTION = 200;
const MAX_NOTE = 1_000;
const MAX_IMPORT_ROWS = 300;

export async function createLargeAccount(target: Target): Promise<LargeAccount> {
  const account = await createTutorAccount(target, USERNAME, 'regular', 0);
  await verifyAndBackdateAccount(target, USERNAME);
  await insertRows(target.admin, account.tutorId);
  const invoice = await issueLargeInvoice(account);
  await target.admin.query('analyze');
  return { ...account, ...invoice, importFile: createImportFile() };
}

/** One statement for each table. */
async function insertRows(admin: pg.Client, tutorId: string): Promise<void> {
  const insert = (statement: string) => admin.query(statement, [tutorId]);
  const series = (count: number) => `generate_series(0, ${count - 1}) as n`;
  await insert(
    `insert into contacts (tutor_id, id, public_id, name, email, created_at)
     select $1, ${FIRST_ID} + n, 'large-contact-' || n,
            case when n >= ${CARERS} then 'Student ' || ${STUDENTS - CARERS - 500} + n else 'Carer ' || n end,
            case when n >= ${CARERS} then 'student' || ${STUDENTS - CARERS - 500} + n else 'large' || n end || '@family.example', now()
     from ${series(CARERS + 500)}`,
  );
  // The last students have no carer and pay for themselves.
  await insert(
    `insert into students (tutor_id, id, public_id, name, email, notes, contact_id, created_at)
     select $1, ${FIRST_ID} + n, 'large-student-' || n, 'Student ' || n, 'student' || n || '@family.example', repeat('W', 400),
            ${FIRST_ID} + case when n < ${STUDENTS - 500} then n % ${CARERS} else n - ${STUDENTS - CARERS - 500} end, now() from ${series(STUDENTS)}`,
  );
  await insert(
    `update contacts set student_id = id + ${STUDENTS - CARERS - 500} where tutor_id = $1 and id >= ${FIRST_ID + CARERS}`,
  );
  await insert(
    `insert into contact_access (tutor_id, contact_id, student_id, sees_lessons, sees_place, sees_notes, sees_money, may_cancel, may_ask)
     select tutor_id, contact_id, id, true, true, true, true, true, true from students where tutor_id = $1 and id >= ${FIRST_ID}`,
  );
  await insert(
    `insert into families (tutor_id, id, public_id, contact_id, payment_reference, created_at)
     select $1, ${FIRST_ID} + n, 'large-family-' || n, ${FIRST_ID} + n, 'LARGE' || n, now()
     from ${series(CARERS + 500)}`,
  );
  await insert(
    `insert into shared_links (public_id, tutor_id, kind, target_id, created_at)
     select left(md5($1::text || n), 16), $1::uuid, 'balance', ${FIRST_ID} + n, now() from ${series(CARERS + 500)}`,
  );
  await insert(
    `insert into student_payers (tutor_id, student_id, family_id, percent, position, from_date)
     select tutor_id, id, contact_id, 100, 0, '1900-01-01' from students where tutor_id = $1 and id >= ${FIRST_ID}`,
  );
  await insert(
    `insert into lessons (tutor_id, id, subject_id, title, first_date, start_time, end_time, fee, currency, is_recurring,
       pattern, recurrence_start, generated_until, created_at)
     select $1, ${FIRST_ID} + n, (select min(id) from subjects where tutor_id = $1), 'Student ' || n || ' - Maths',
            current_date - ${YEARS} * 364, '05:00', '05:30', 3500, 'GBP', true, 'weekly', current_date - ${YEARS} * 364,
            current_date + 364, now() from ${series(LESSONS)}`,
  );
  await insert(
    `insert into lesson_students (tutor_id, lesson_id, student_id, position, from_date)
     select $1, ${FIRST_ID} + n, ${FIRST_ID} + n, 0, '1900-01-01' from ${series(LESSONS)}`,
  );
  // The first lesson is weekly, the others have a session every ten weeks; only the first has future sessions. No
  // session is generated for today, because createTutorAccount has already added a lesson that lasts all day.
  await insert(
    `insert into sessions (tutor_id, id, public_id, lesson_id, subject_id, title, occurrence_date, series_date, date,
       start_time, end_time, starts_at, ends_at, status, created_at)
     select $1, ${FIRST_ID} + row_number() over (order by day, l.id), 'large-session-' || l.id || '-' || day::date, l.id,
            l.subject_id, l.title, day, day, day, '05:00', '05:30', day + time '05:00', day + time '05:30',
            case when day < current_date then 'completed' else 'scheduled' end, now()
     from lessons l, generate_series(l.first_date, current_date + 350, case when l.id = ${FIRST_ID} then interval '7 days' else interval '70 days' end) as day
     where l.tutor_id = $1 and l.id >= ${FIRST_ID} and (day < current_date or day > current_date and l.id = ${FIRST_ID})`,
  );
  await insert(
    `insert into session_students (tutor_id, session_id, student_id, position, fee, currency, fee_source, is_billable)
     select $1, s.id, s.lesson_id, 0, 3500, 'GBP', 'lesson', s.status = 'completed'
     from sessions s where s.tutor_id = $1 and s.id >= ${FIRST_ID}`,
  );
  await insert(
    `insert into charges (tutor_id, id, public_id, family_id, student_id, session_id, kind, amount, currency, due_date, outstanding, created_by, created_at)
     select $1, ${FIRST_ID} + row_number() over (order by s.id), 'large-charge-' || s.id, f.id, x.student_id, s.id, 'lesson', x.fee, 'GBP',
            s.date, x.fee, 'tutor', now()
     from sessions s join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
     join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
     join families f on f.tutor_id = $1 and f.contact_id = st.contact_id
     where s.tutor_id = $1 and s.id >= ${FIRST_ID} and s.status = 'completed'`,
  );
  await insert(
    `insert into messages (tutor_id, id, public_id, dedupe_key, kind, channel, state, family_id, to_name, address, subject, text, created_at, sent_at)
     select $1, ${FIRST_ID} + n, 'large-message-' || n, 'large ' || n, 'payment_reminder', 'email', 'sent', ${FIRST_ID} + n % ${CARERS},
            'Carer', 'large' || n || '@family.example', 'Reminder', repeat('W', 4000), now(), now() from ${series(ROWS_IN_LISTS)}`,
  );
  await insert(
    `insert into notifications (tutor_id, id, dedupe_key, kind, text, requires_action, created_at)
     select $1, ${FIRST_ID} + n, 'large ' || n, 'transfer_claimed', repeat('W', 200), true, now() from ${series(ROWS_IN_LISTS)}`,
  );
  await insert(
    `insert into invoices (tutor_id, id, public_id, kind, family_id, currency, created_by, created_at)
     select $1, ${FIRST_ID} + n, 'large-invoice-' || n, 'invoice', ${FIRST_ID} + n % ${CARERS}, 'GBP', 'tutor', now() from ${series(ROWS_IN_LISTS)}`,
  );
  await insert(
    `insert into invoice_lines (tutor_id, invoice_id, position, description, date, amount)
     select $1, ${FIRST_ID} + n, position, 'Item', current_date, 100 from ${series(ROWS_IN_LISTS)}, generate_series(1, 2) as position`,
  );
  await insert(
    `insert into id_sequences (tutor_id, kind, last_id)
     select $1, kind, 100000 from unnest(array['contact', 'student', 'family', 'lesson', 'session', 'charge', 'message', 'notification', 'invoice']) as kind
     on conflict (tutor_id, kind) do update set last_id = excluded.last_id`,
  );
}

async function issueLargeInvoice({
  browser,
}: TutorAccount): Promise<Pick<LargeAccount, 'invoiceId' | 'invoiceToken'>> {
  const today = new Date().toISOString().slice(0, 10);
  const familyId = LARGE_RECORDS.family;
  const [draft] = await unwrap(
    browser.call(invoices.draftInvoice, {
      body: { familyId, from: addDaysToDate(today, -60), to: today },
    }),
  );
  const invoiceId = draft?.id ?? 0;
  const line = { description: 'W'.repeat(MAX_DESCRIPTION), amount: 100 };
  await unwrap(
    browser.call(invoices.updateInvoiceDraft, {
      params: { id: invoiceId },
      body: { lines: Array.from({ length: MAX_LINES }, () => line), note: 'W'.repeat(MAX_NOTE) },
    }),
  );
  const [issued] = await unwrap(
    browser.call(invoices.issueInvoices, { body: { ids: [invoiceId] } }),
  );
  return { invoiceId, invoiceToken: issued?.token ?? '' };
}

/** A group with the maximum number of students, on one date or weekly with no end date. Each student has a different payer. */
export function createGroupInput(
  subjectId: number,
  index: number,
  isRecurring: boolean,
): Partial<LessonInput> {
  const hour = String(6 + (index % 16)).padStart(2, '0');
  const ids = Array.from({ length: MAX_GROUP_STUDENTS }, (_, n) => LARGE_RECORDS.student + n);
  return {
    studentId: LARGE_RECORDS.student,
    students: ids.map((studentId) => ({ studentId })),
    subjectId,
    title: `Group ${index}`,
    date: addDaysToDate(new Date().toISOString().slice(0, 10), 1),
    startTime: `${hour}:00`,
    endTime: `${hour}:45`,
    fee: 20,
    isRecurring,
    acceptOverlaps: true,
  };
}

export interface Group {
  subjectId: number;
  sessionIds: number[];
  dates: string[];
  /** Drafts for all payers, one list for each date. */
  draftIds: number[][];
}

const DRAFTED_DATES = 3;

/** Creates a group and drafts the invoices for its first sessions. */
export async function createGroup({ browser }: TutorAccount): Promise<Group> {
  const lesson = await unwrap(
    browser.call(lessons.lesson, { params: { id: LARGE_RECORDS.lesson } }),
  );
  const { subjectId } = lesson;
  const body = createGroupInput(subjectId, 0, true) as LessonInput;
  const { lessonId } = await unwrap(browser.call(lessons.createLesson, { body }));
  const { upcoming } = await unwrap(browser.call(lessons.lesson, { params: { id: lessonId } }));
  const inOrder = upcoming.toSorted((a, b) => a.date.localeCompare(b.date));
  const draftIds: number[][] = [];
  for (const { id, date } of inOrder.slice(0, DRAFTED_DATES)) {
    await unwrap(browser.call(sessions.completeSession, { params: { id }, body: {} }));
    const period = { from: date, to: date };
    const drafts = await unwrap(browser.call(invoices.draftAllInvoices, { body: period }));
    draftIds.push(drafts.map((draft) => draft.id));
  }
  const open = inOrder.slice(DRAFTED_DATES);
  return {
    subjectId,
    sessionIds: open.map(({ id }) => id),
    dates: open.map(({ date }) => date),
    draftIds,
  };
}

async function unwrap<Body>(
  call: Promise<{ status: number; body: Body; error: { message: string } }>,
): Promise<Body> {
  const { status, body, error } = await call;
  if (status >= 300) throw new Error(`${status}: ${error.message}`);
  return body;
}

/** The maximum number of weekly lessons in an import, each for a year. */
function createImportFile(): string {
  const today = new Date().toISOString().slice(0, 10);
  const rows = Array.from({ length: MAX_IMPORT_ROWS }, (_, index) => {
    const time = `${String(6 + (index % 12)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`;
    const end = time.replace(/\d\d$/, (minute) => String(Number(minute) + 25));
    const date = addDaysToDate(today, 1 + (index % 7));
    return `Student ${1000 + index},Maths,${date},${time},${end},35,${addDaysToDate(today, 364)}`;
  });
  return ['student,subject,date,start,end,fee,weekly until', ...rows].join('\n');
}
