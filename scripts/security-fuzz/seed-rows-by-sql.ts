import { calendar } from '@lessonbook/contract/calendar';
import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { lessons } from '@lessonbook/contract/lessons';
import { reminders } from '@lessonbook/contract/reminder-settings';
import type { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { zipFile } from '@lessonbook/server/src/test/create-and-download-export.ts';
import type pg from 'pg';

/** Rows that normally come from vendors, devices and the worker. */
export async function seedVendorRows(
  admin: pg.Client,
  tutorId: string,
  browser: Browser,
  prefix: string,
  isVictim: boolean,
): Promise<void> {
  await seedSettings(browser, prefix);
  await admin.query(`update business_settings set invoice_prefix = $2 where tutor_id = $1`, [
    tutorId,
    `${prefix}-`,
  ]);
  await addSeries(admin, tutorId, browser, prefix);
  const run = (statement: string, ...values: unknown[]) =>
    admin.query(statement, [tutorId, ...values]);
  const key = `${prefix}${tutorId.slice(-6)}`;
  await run(
    `insert into card_accounts (tutor_id, idempotency_key, account_id, created_at) values ($1, $2, $3, now())`,
    `${key} connect`,
    `acct_${key}`,
  );
  await run(
    `update messages set state = 'failed' where tutor_id = $1 and id = (select max(id) from messages where tutor_id = $1 and channel = 'email')`,
  );
  await run(
    `insert into stripe_account_index (tutor_id, account_id) values ($1, $2)`,
    `acct_${key}`,
  );
  await run(
    `insert into checkouts (tutor_id, id, public_id, account_id, family_id, currency, amount, charge_ids, stripe_session_id, payment_intent, state, payment_id, created_at)
     select tutor_id, id, $2 || id, $3, family_id, currency, amount, '{}', 'cs_' || $2 || id, 'pi_' || $2 || id, 'paid', id, now()
     from payments where tutor_id = $1 and kind = 'payment' and amount > 0`,
    `${key}out`,
    `acct_${key}`,
  );
  await run(`update tutors set portal_opened_at = now() where tutor_id = $1`);
  await run(
    `insert into contact_logins (tutor_id, contact_id, login_id, user_agent, first_seen_at, last_seen_at)
     select tutor_id, id, $2 || id, $2, now(), now() from contacts where tutor_id = $1`,
    `${key}browser`,
  );
  await run(
    `insert into portal_cancellations (tutor_id, id, contact_id, cancelled_at, is_illness, erase_reason_on)
     select tutor_id, id, id, now(), true, current_date + 30 from contacts where tutor_id = $1`,
  );
  await run(
    `insert into portal_cancelled_seats (tutor_id, session_id, student_id, cancellation_id, fee, currency,
       uses_free_cancellation, term_start)
     select x.tutor_id, x.session_id, x.student_id, s.contact_id, coalesce(x.fee, 0), x.currency, false, current_date
     from session_students x join students s on s.tutor_id = x.tutor_id and s.id = x.student_id
     where x.tutor_id = $1`,
  );
  // A later version than those that the API has created.
  await run(
    `insert into lesson_notes (tutor_id, session_id, student_id, version, did, next_time, homework, due_on, created_at,
       published_at)
     select tutor_id, session_id, student_id, 100, $2, $2, $2, current_date + 7, now(), now()
     from session_students where tutor_id = $1`,
    `${key}note`,
  );
  await run(
    `insert into day_changes (tutor_id, id, action, from_date, to_date, link, notifies_families, created_at)
     select tutor_id, id, 'online', current_date, current_date + 1, 'https://' || $2, true, now()
     from sessions where tutor_id = $1`,
    `${key}day`,
  );
  await run(
    `insert into day_change_sessions (tutor_id, day_change_id, session_id, place, uses_google_meet, previous_place,
       previous_uses_google_meet, previous_is_override)
     select tutor_id, id, id, 'https://' || $2, false, $2, false, false from sessions where tutor_id = $1`,
    `${key}day`,
  );
  await run(
    `insert into homework_done (tutor_id, session_id, student_id, done_at, done_by)
     select tutor_id, session_id, student_id, now(), 'tutor' from session_students where tutor_id = $1
     on conflict do nothing`,
  );
  // Only for one account, so that the fuzz run can agree a plan for another.
  await run(
    `insert into instalment_plans (tutor_id, id, family_id, currency, created_at)
     select tutor_id, max(family_id), max(family_id), max(currency), now() from charges where tutor_id = $1 group by tutor_id`,
  );
  await run(
    `insert into instalments (tutor_id, plan_id, position, due_on, amount, is_due)
     select tutor_id, id, 1, current_date + 30, 100, false from instalment_plans where tutor_id = $1`,
  );
  await run(
    `insert into instalment_plan_charges (tutor_id, plan_id, charge_id)
     select p.tutor_id, p.id, c.id from instalment_plans p
     join charges c on c.tutor_id = p.tutor_id and c.family_id = p.family_id where p.tutor_id = $1`,
  );
  // Half of the contacts have yet to accept the agreement.
  await run(`delete from agreement_acceptances where tutor_id = $1 and contact_id % 2 = 1`);
  await run(
    `insert into move_requests (tutor_id, id, contact_id, session_id, student_id, status, choices, suggestions, message,
       answer, session_date, session_start_time, asked_at)
     select distinct on (s.id) s.tutor_id, s.id, t.contact_id, s.id, x.student_id, 'open', c.starts, c.starts, $2, $2, s.date,
       s.start_time, now()
     from sessions s
     join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected'
     join students t on t.tutor_id = x.tutor_id and t.id = x.student_id
     cross join (select jsonb_build_array(jsonb_build_object('date', current_date + 20, 'startTime', '06:00')) as starts) c
     where s.tutor_id = $1 and s.status = 'scheduled'`,
    `${key}move`,
  );
  await run(
    `insert into charge_queries (tutor_id, id, charge_id, contact_id, status, message, asked_at)
     select c.tutor_id, c.id, c.id, f.contact_id, 'open', $2, now()
     from charges c join families f on f.tutor_id = c.tutor_id and f.id = c.family_id
     where c.tutor_id = $1 and c.id % 3 = 0`,
    `${key}query`,
  );
  // The record of a tutor who was moved from another installation.
  await run(
    `insert into tutor_moves (tutor_id, move_id, state, other_origin, target_id, started_at, changed_at)
     values ($1, gen_random_uuid(), 'active', 'https://' || $2, $2, now(), now())`,
    `${key}move`,
  );
  await run(
    `insert into tenant_schedule (tutor_id, kind, next_due_at) values ($1, 'move-requests', now() + interval '1 hour')
     on conflict do nothing`,
  );
  await run(
    `insert into card_reversals (tutor_id, vendor_id, checkout_id, kind) select tutor_id, $2 || id, id, 'dispute' from checkouts where tutor_id = $1`,
    `du_${key}`,
  );
  await run(
    `insert into refund_requests (tutor_id, id, public_id, payment_id, amount, note, state, vendor_id, created_at)
     select tutor_id, id, $2 || id, payment_id, 100, $2, 'waiting', $2, now() from checkouts where tutor_id = $1`,
    `${key}ref`,
  );
  // These values are not really encrypted and would fail when used, so only accounts that never log in have them.
  if (isVictim) {
    await run(
      `insert into calendar_connections (tutor_id, encrypted_token, calendar_id, synced_from, connected_at, sync_token, channel_id, channel_resource)
       values ($1, $2, $2, now(), now(), $2, $2, $2)`,
      key,
    );
    await run(
      `insert into totp_credentials (tutor_id, encrypted_secret, created_at, confirmed_at) values ($1, $2, now(), now())`,
      key,
    );
  }
  await run(
    `insert into batches (tutor_id, id, kind, created_at, finished_at)
     select tutor_id, 900 + min(id), 'send_reminders', now(), now() from families where tutor_id = $1 group by tutor_id`,
  );
  await run(
    `insert into batch_items (tutor_id, batch_id, position, family_id, state, failure_reason)
     select tutor_id, 900 + min(id) over (), id, id, 'failed', $2 from families where tutor_id = $1`,
    key,
  );
  await run(
    `insert into calendar_channels (tutor_id, channel_id, token_hash, expires_at) values ($1, $2, '\\x01', now() + interval '1 day')`,
    key,
  );
  await run(
    `insert into calendar_events (tutor_id, session_id, event_id, etag, synced_hash, pending_hash, rejected_hash) select tutor_id, id, $2 || id, $2, $2, $2, $2 from sessions where tutor_id = $1`,
    `${key}ev`,
  );
  await run(
    `insert into external_changes (tutor_id, id, session_id, kind, starts_at, ends_at, created_at)
     select tutor_id, id, id, case when id % 2 = 0 then 'moved' else 'deleted' end, starts_at + interval '1 hour', ends_at + interval '1 hour', now()
     from sessions where tutor_id = $1 and status = 'scheduled'`,
  );
  await run(
    `insert into calendar_oauth_states (tutor_id, state_hash, login_hash, expires_at) values ($1, sha256($2), '\\x01', now() + interval '1 hour')`,
    `${key}state`,
  );
  await run(
    `insert into identities (tutor_id, provider, subject, id, created_at, owner_notified_at) values ($1, 'google', $2, gen_random_uuid(), now(), now())`,
    key,
  );
  await run(
    `insert into mfa_challenges (tutor_id, token_hash, google_subject, attempts_left, expires_at) values ($1, sha256($2), $2, 5, now() + interval '1 day')`,
    `${key}step`,
  );
  await run(
    `insert into passkeys (tutor_id, credential_id, public_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, 0, '{internal}', $3, now())`,
    `${key}cred`,
    `${key}pass`,
    Buffer.from(key),
  );
  await run(
    `insert into recovery_codes (tutor_id, code_hash) values ($1, sha256($2))`,
    `${key}code`,
  );
  await run(
    `insert into security_email_outbox (tutor_id, id, kind, email, detail, created_at) values ($1, gen_random_uuid(), 'new_browser', $2, $2, now())`,
    key,
  );
  await run(
    `insert into exports (tutor_id, id, state, requested_at, expires_at, completed_at, bytes)
     select $1, 1 + coalesce((select last_id from id_sequences where tutor_id = $1 and kind = 'export'), 0), 'ready', now(), now() + interval '20 hours', now(), length($2::bytea)`,
    exportFile(prefix),
  );
  await run(
    `insert into export_chunks (tutor_id, export_id, position, bytes) select tutor_id, id, 0, $2 from exports where tutor_id = $1`,
    exportFile(prefix),
  );
}

const exportFile = (prefix: string) => zipFile('students.csv', `name\r\n${prefix} exported\r\n`);

async function seedSettings(browser: Browser, prefix: string): Promise<void> {
  const template = { subject: `${prefix} subject`, text: `${prefix} text {student}` };
  await browser.call(reminders.saveReminderSettings, {
    body: {
      leadMinutes: 1440,
      channels: ['email'],
      recipient: 'carer',
      overdueEnabled: true,
      overdueDays: [3],
      templates: {
        lesson_reminder: template,
        lesson_change: template,
        payment_reminder: template,
        invoice: template,
        receipt: template,
      },
    },
  });
  await browser.call(cancellationPolicy.updatePolicy, {
    body: { tiers: [{ noticeHours: 24, feePercent: 50 }], freeLateCancellations: 1 },
  });
  await browser.call(calendar.showFeed);
}

/** Two overlapping weekly lessons, a lesson in progress, invoice drafts, opening balances and a student's reminder settings. */
async function addSeries(
  admin: pg.Client,
  tutorId: string,
  browser: Browser,
  prefix: string,
): Promise<void> {
  const { rows } = await admin.query<{ student: number; subject: number; today: string }>(
    `select (select max(id) from students where tutor_id = $1) as student, (select max(id) from subjects where tutor_id = $1) as subject,
       to_char(now() + interval '1 day', 'yyyy-mm-dd') as today`,
    [tutorId],
  );
  const { student = 0, subject = 0, today = '' } = rows[0] ?? {};
  for (const startTime of ['10:00', '10:30'])
    await browser.call(lessons.createLesson, {
      body: {
        studentId: student,
        subjectId: subject,
        title: `${prefix} every week`,
        date: today,
        startTime,
        endTime: '11:00',
        fee: 30,
        isRecurring: true,
        recurringPattern: 'weekly',
        recurringEndDate: `${Number(today.slice(0, 4)) + 1}-01-20`,
        acceptOverlaps: true,
      },
    });
  await browser.call(lessons.createLesson, {
    body: {
      studentId: student,
      subjectId: subject,
      title: `${prefix} now`,
      date: addDaysToDate(today, -1),
      startTime: '00:00',
      endTime: '23:59',
      fee: 30,
      acceptOverlaps: true,
    },
  });
  const { rows: accounts } = await admin.query<{ id: number }>(
    'select id from families where tutor_id = $1 order by id',
    [tutorId],
  );
  for (const { id } of accounts)
    await browser.call(invoices.draftInvoice, {
      body: { familyId: id, from: today, to: addDaysToDate(today, 25), includeUpcoming: true },
    });
  for (const { id } of accounts)
    await browser.call(families.setOpeningBalance, {
      params: { id },
      body: { amount: 5000, currency: 'GBP', date: addDaysToDate(today, -30) },
    });
  await browser.call(reminders.saveStudentReminders, {
    params: { id: student },
    body: { isCustom: true, leadMinutes: 60, channels: ['email'], recipient: 'carer' },
  });
}
