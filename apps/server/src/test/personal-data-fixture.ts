import { businessSettings } from '@lessonbook/contract/business-settings';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { payments } from '@lessonbook/contract/payments';
import { rates } from '@lessonbook/contract/rates';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { termCalendars } from '@lessonbook/contract/term-calendars';
import { timeOff } from '@lessonbook/contract/time-off';
import type pg from 'pg';
import type { ApiResponse, Browser } from './browser-client.ts';
import { createStudent, createSubject } from './create-student-and-subject.ts';
import { addLesson } from './lesson-fixture.ts';

/** Texts that identify a person. Every field about the person contains one of them. */
export const STUDENT = ['quillstu', '447700911111'];
export const CARER = ['quillcar', '447700922222'];
export const SOLO = ['quillsolo', '447700933333'];
/** The prefix of these texts. A different prefix creates a fixture with different people. */
const DEFAULT_PREFIX = 'quill';

async function unwrap<T>(call: Promise<ApiResponse<T>>): Promise<T> {
  const response = await call;
  if (response.status >= 300)
    throw new Error(`${response.status}: ${JSON.stringify(response.error)}`);
  return response.body;
}

/** Creates a tutor's data with an identifying text in every field that can hold personal data. */
export async function createPersonalDataFixture(
  browser: Browser,
  today: string,
  prefix = DEFAULT_PREFIX,
) {
  const capitalizedPrefix = prefix.charAt(0).toUpperCase() + prefix.slice(1);
  const subject = await createSubject(browser, { name: 'Maths' });
  const student = await createStudent(browser, {
    name: `${capitalizedPrefix}stu ${capitalizedPrefix}stu`,
    phone: '+447700911111',
    email: `${prefix}stu@family.example`,
    subject: `${prefix}stu maths`,
    notes: `${prefix}stu is shy`,
    school: `${prefix}stu school`,
    schoolYear: `${prefix}stu year 9`,
    carerName: `${capitalizedPrefix}car ${capitalizedPrefix}car`,
    carerRelationship: `${prefix}car aunt`,
    carerPhone: '+447700922222',
    carerEmail: `${prefix}car@family.example`,
  });
  await createStudent(browser, {
    name: 'Lena Bystander',
    carerId: student.carerId,
    notes: `Friend of ${capitalizedPrefix}stu ${capitalizedPrefix}stu`,
  });
  const [carer] = student.contacts;
  if (carer) {
    const { id: contactId, ...details } = carer;
    await unwrap(
      browser.call(studentContacts.updateContact, {
        params: { id: student.id, contactId },
        body: { ...details, timeZone: 'Europe/Paris' },
      }),
    );
  }
  const solo = await createStudent(browser, {
    name: `${capitalizedPrefix}solo ${capitalizedPrefix}solo`,
    phone: '+447700933333',
    email: `${prefix}solo@family.example`,
  });
  await unwrap(
    browser.call(businessSettings.saveBusinessSettings, {
      body: {
        ...(await unwrap(browser.call(businessSettings.businessSettings))),
        tradingName: `${capitalizedPrefix}tut Ltd`,
        paymentInstructions: `${capitalizedPrefix}tut takes cash`,
      },
    }),
  );
  const daysFromToday = (days: number) => addDaysToDate(today, days);
  const scheduleLesson = async (
    person: { id: number; name: string },
    text: string,
    date: string,
  ) => {
    const fixture = {
      browser,
      studentId: person.id,
      subjectId: subject.id,
    };
    const { sessionId } = await addLesson(fixture, {
      title: `${person.name} - Maths`,
      date,
      place: `${text} Street 1`,
      notes: `${text} notes`,
      acceptOverlaps: true,
    });
    return sessionId;
  };
  const complete = (id: number) =>
    unwrap(browser.call(sessions.completeSession, { params: { id }, body: {} }));
  await complete(await scheduleLesson(student, `${prefix}stu`, daysFromToday(-9)));
  await complete(await scheduleLesson(solo, `${prefix}solo`, daysFromToday(-8)));
  const cancelled = await scheduleLesson(student, `${prefix}stu`, daysFromToday(5));
  await unwrap(
    browser.call(sessions.cancelSession, {
      params: { id: cancelled },
      body: { cancelledBy: 'student', reason: `${prefix}stu is ill` },
    }),
  );
  const upcoming = await scheduleLesson(student, `${prefix}stu`, daysFromToday(6));
  await unwrap(
    browser.call(timeOff.createTimeOff, {
      body: {
        fromDate: daysFromToday(40),
        toDate: daysFromToday(41),
        reason: `Trip with ${capitalizedPrefix}stu ${capitalizedPrefix}stu`,
      },
    }),
  );
  await unwrap(
    browser.call(rates.saveRate, {
      body: {
        studentId: student.id,
        subjectId: subject.id,
        amount: 40,
        unit: 'hour',
        validFrom: daysFromToday(90),
      },
    }),
  );
  await unwrap(
    browser.call(termCalendars.createTermCalendar, {
      body: {
        name: `School of ${capitalizedPrefix}stu ${capitalizedPrefix}stu`,
        terms: [
          {
            name: `Term of ${capitalizedPrefix}stu ${capitalizedPrefix}stu`,
            fromDate: daysFromToday(50),
            toDate: daysFromToday(90),
          },
        ],
      },
    }),
  );
  const familyIds = { carer: student.familyId as number, solo: solo.familyId as number };
  for (const [text, id] of [
    [`${prefix}car`, familyIds.carer],
    [`${prefix}solo`, familyIds.solo],
  ] as const) {
    await unwrap(
      browser.call(families.updateFamily, {
        params: { id },
        body: { address: `${text} Road 7`, reference: text.toUpperCase() },
      }),
    );
    const [draft] = await unwrap(
      browser.call(invoices.draftInvoice, {
        body: { familyId: id, from: daysFromToday(-30), to: today },
      }),
    );
    const invoice = await unwrap(
      browser.call(invoices.invoice, { params: { id: draft?.id ?? 0 } }),
    );
    await unwrap(
      browser.call(invoices.updateInvoiceDraft, {
        params: { id: invoice.id },
        body: {
          note: `Dear ${text} ${text}`,
          dueOn: today,
          lines: [
            ...invoice.lines.map(({ chargeId }) => ({ chargeId })),
            { description: `Book for ${text} ${text}`, amount: 1200 },
          ],
        },
      }),
    );
    await unwrap(browser.call(invoices.issueInvoices, { body: { ids: [invoice.id] } }));
    await unwrap(
      browser.call(messages.sendInvoice, {
        params: { id: invoice.id },
        body: { channel: 'email' } as never,
      }),
    );
    const payment = await unwrap(
      browser.call(payments.recordPayment, {
        body: {
          familyId: id,
          amount: 2000,
          currency: 'GBP',
          method: 'cash',
          date: today,
          note: `from ${text} ${text}, for ${capitalizedPrefix}stu ${capitalizedPrefix}stu`,
        },
      }),
    );
    await unwrap(
      browser.call(payments.refundPayment, {
        params: { id: payment.id },
        body: { amount: 500, date: today, note: `refund to ${text}` },
      }),
    );
    for (const channel of ['email', 'whatsapp'] as const)
      await unwrap(browser.call(messages.sendReminder, { body: { familyId: id, channel } }));
  }
  await unwrap(
    browser.call(messages.sendChangeNotice, {
      body: { sessionIds: [cancelled], channel: 'email' } as never,
    }),
  );
  return { student, solo, carerId: student.carerId as number, familyIds, upcoming };
}

/** Inserts the rows that jobs and vendors' webhooks would write. */
export async function insertSystemRows(
  client: pg.Client,
  tutorId: string,
  prefix = DEFAULT_PREFIX,
): Promise<void> {
  const capitalizedPrefix = prefix.charAt(0).toUpperCase() + prefix.slice(1);
  await client.query(
    `insert into notifications (tutor_id, id, dedupe_key, kind, text, requires_action, created_at) values
     ($1, 9001, 'claim 1', 'transfer_claimed', '${capitalizedPrefix}car ${capitalizedPrefix}car says that £20 was sent by bank transfer.', true, now()),
     ($1, 9002, 'stopped +447700933333 now', 'message_failed', '${capitalizedPrefix}solo wrote STOP.', true, now()),
     ($1, 9003, 'proposal 1', 'calendar_changed', 'You moved ${capitalizedPrefix}stu in Google.', true, now())`,
    [tutorId],
  );
  await client.query(
    `insert into move_requests (tutor_id, id, contact_id, session_id, student_id, status, choices, message, answer,
       session_date, session_start_time, asked_at)
     select s.tutor_id, 9000 + row_number() over (order by s.id), t.contact_id, s.id, t.id, 'declined', '[]',
       '${capitalizedPrefix}stu ${capitalizedPrefix}stu is ill', '${capitalizedPrefix}car ${capitalizedPrefix}car knows',
       s.date, s.start_time, now()
     from sessions s
     join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
     join students t on t.tutor_id = x.tutor_id and t.id = x.student_id
     where s.tutor_id = $1`,
    [tutorId],
  );
  await client.query(
    `insert into charge_queries (tutor_id, id, charge_id, contact_id, status, message, answer, is_owed, asked_at)
     select c.tutor_id, 9000 + c.id, c.id, f.contact_id, 'answered',
       '${capitalizedPrefix}stu ${capitalizedPrefix}stu was ill', '${capitalizedPrefix}car ${capitalizedPrefix}car knows', true, now()
     from charges c join families f on f.tutor_id = c.tutor_id and f.id = c.family_id
     where c.tutor_id = $1`,
    [tutorId],
  );
  await client.query(
    `with change as (
       insert into day_changes (tutor_id, id, action, from_date, to_date, link, notifies_families, created_at)
       select $1, 9000 + min(id), 'online', current_date, current_date, 'https://meet.example/?name=${capitalizedPrefix}stu ${capitalizedPrefix}stu', true, now()
       from sessions where tutor_id = $1
       returning tutor_id, id)
     insert into day_change_sessions (tutor_id, day_change_id, session_id, place, uses_google_meet, previous_place,
       previous_uses_google_meet, previous_is_override)
     select s.tutor_id, c.id, s.id, 'https://meet.example/?name=${capitalizedPrefix}stu ${capitalizedPrefix}stu', false, s.place, false, false
     from change c join sessions s on s.tutor_id = c.tutor_id`,
    [tutorId],
  );
  await client.query(
    `insert into lesson_notes (tutor_id, session_id, student_id, version, did, next_time, homework, created_at, published_at)
     select x.tutor_id, x.session_id, x.student_id, 1, '${capitalizedPrefix}stu ${capitalizedPrefix}stu did well',
       '${capitalizedPrefix}car ${capitalizedPrefix}car knows', '${capitalizedPrefix}stu ${capitalizedPrefix}stu reads', now(), now()
     from session_students x where x.tutor_id = $1`,
    [tutorId],
  );
  await client.query(
    `insert into homework_done (tutor_id, session_id, student_id, done_at, done_by, contact_id)
     select n.tutor_id, n.session_id, n.student_id, now(), 'contact', t.contact_id
     from lesson_notes n join students t on t.tutor_id = n.tutor_id and t.id = n.student_id where n.tutor_id = $1`,
    [tutorId],
  );
  await client.query(
    `insert into note_emails (tutor_id, contact_id, session_id, student_id, version, message_id)
     select n.tutor_id, t.contact_id, n.session_id, n.student_id, n.version, m.id
     from lesson_notes n join students t on t.tutor_id = n.tutor_id and t.id = n.student_id
     cross join (select min(id) as id from messages where tutor_id = $1) m where n.tutor_id = $1 and m.id is not null`,
    [tutorId],
  );
  await client.query(
    `insert into agreements (tutor_id, version, text, starts_on, published_at) values ($1, 1, 'Lessons are paid for monthly.', '2026-01-01', now())`,
    [tutorId],
  );
  await client.query(
    `insert into agreement_acceptances (tutor_id, contact_id, version, name, accepted_at, network)
     select tutor_id, id, 1, name, now(), '203.0.113.x' from contacts where tutor_id = $1`,
    [tutorId],
  );
  await client.query(
    `insert into batches (tutor_id, id, kind, created_at, finished_at)
     select $1, 9000 + min(id), 'send_reminders', now(), now() from families where tutor_id = $1`,
    [tutorId],
  );
  await client.query(
    `insert into batch_items (tutor_id, batch_id, position, family_id, state, failure_reason)
     select $1, 9000 + min(id) over (), id, id, 'failed', '${capitalizedPrefix}car ${capitalizedPrefix}car and ${capitalizedPrefix}solo have no email address.'
     from families where tutor_id = $1`,
    [tutorId],
  );
  await client.query(
    `insert into suppressions (tutor_id, channel, address, reason, created_at) values
     ($1, 'email', '${prefix}stu@family.example', 'bounced', now()),
     ($1, 'email', '${prefix}car@family.example', 'bounced', now())`,
    [tutorId],
  );
  await client.query(
    `insert into reminder_opt_outs (tutor_id, address, kind, created_at) values
     ($1, '${prefix}stu@family.example', 'lesson_reminder', now()),
     ($1, '${prefix}solo@family.example', 'payment_reminder', now())`,
    [tutorId],
  );
  await client.query(
    `insert into whatsapp_consents (tutor_id, address, name, wording, given_at) values
     ($1, '+447700911111', '${capitalizedPrefix}stu', 'yes', now()), ($1, '+447700922222', '${capitalizedPrefix}car ${capitalizedPrefix}car', 'yes', now()),
     ($1, '+447700933333', '${capitalizedPrefix}solo', 'yes', now())`,
    [tutorId],
  );
  await client.query(
    `insert into idempotency_keys (tutor_id, key, request_hash, reply, created_at)
     values ($1, 'repeat-1234', '', '{"withTitle":"${capitalizedPrefix}stu ${capitalizedPrefix}stu - Maths"}', now())`,
    [tutorId],
  );
}
