import { calendar } from '@lessonbook/contract/calendar';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findViolations, INVARIANTS } from './invariants.ts';
import { createStudent } from './test/create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
  lessonBody,
  weekly,
} from './test/lesson-fixture.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

/*
 * Corrupts valid data in one way at a time, each in a transaction that is rolled back. Constraints prevent most of
 * these corruptions, so a superuser makes them with policies and triggers disabled.
 */
let app: TestApp;
let admin: pg.Client;
let tutorId: string;

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  await seedData();
  const url = new URL(inject('adminUrl'));
  url.pathname = new URL(app.urls.ownerUrl).pathname;
  admin = new pg.Client(url.href);
  await admin.connect();
  const { rows } = await admin.query<{ tutor_id: string }>('select tutor_id from payments limit 1');
  tutorId = rows[0]?.tutor_id ?? '';
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const complete = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.completeSession, { params: { id }, body: {} });

/**
 * Family 1 had two lessons (charges 1 and 2, £35 each), paid £50 (payment 1) and was refunded £5 (payment 2). Invoice 1
 * is for the second lesson and a future one (charge 3), £10 of which was credited (charge 4). Payment 3 was a mistake
 * and is reversed by payment 4. Family 2 owes for one lesson (charge 5) and has a credit of €7 (payment 5).
 */
async function seedData(): Promise<void> {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { browser } = fixture;
  await addLesson(fixture, weekly());
  await complete(fixture, 1);
  await complete(fixture, 2);
  const money = { method: 'cash', currency: 'GBP', date: '2026-11-16' } as const;
  const pay = (body: { familyId: number; amount: number; currency?: 'EUR' }) =>
    browser.call(payments.recordPayment, { body: { ...money, ...body } });
  await pay({ familyId: 1, amount: 5000 });
  const refund = { amount: 500, date: '2026-11-16' };
  await browser.call(payments.refundPayment, { params: { id: 1 }, body: refund });
  await pay({ familyId: 1, amount: 100 });
  await browser.call(payments.reversePayment, { params: { id: 3 } });
  const period = { familyId: 1, from: '2026-11-01', to: '2026-12-31' };
  const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  const params = { id: draft?.id ?? 0 };
  const lines = [{ chargeId: 2 }, { sessionId: 3 }];
  await browser.call(invoices.updateInvoiceDraft, { params, body: { lines } });
  await browser.call(invoices.issueInvoices, { body: { ids: [params.id] } });
  const credit = { lines: [{ chargeId: 3, amount: 1000 }] };
  await browser.call(invoices.creditInvoice, { params, body: credit });
  const noor = await createStudent(browser, { name: 'Noor' });
  const lesson = lessonBody(fixture, { studentId: noor.id, startTime: '18:00', endTime: '19:00' });
  const { sessionId } = await addLesson(fixture, lesson);
  await complete(fixture, sessionId);
  await pay({ familyId: noor.familyId ?? 0, amount: 700, currency: 'EUR' });
  await browser.call(calendar.showFeed);
  const list = await browser.call(families.listFamilies);
  expect(list.body.map(({ balances }) => balances)).toEqual([
    [{ currency: 'GBP', owed: 5000, credit: 0 }],
    expect.arrayContaining([
      { currency: 'GBP', owed: 3500, credit: 0 },
      { currency: 'EUR', owed: 0, credit: 700 },
    ]),
  ]);
}

function insertCheckout(paymentId: number, amount: number): string {
  return `insert into checkouts (tutor_id, id, public_id, account_id, family_id, currency, amount, charge_ids, state,
      payment_id, created_at)
    select tutor_id, 1, 'checkout', 'acct_1', family_id, currency, ${amount}, '{}', 'paid', id, created_at
    from payments where id = ${paymentId}`;
}

/** The main contact of the student asks to move the third lesson. */
const ADD_MOVE_REQUEST = `insert into move_requests (tutor_id, id, contact_id, session_id, student_id, status, choices, session_date, session_start_time, asked_at)
  select s.tutor_id, 1, st.contact_id, s.id, x.student_id, 'open', '[]', s.date, s.start_time, now()
  from sessions s join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
  join students st on st.tutor_id = x.tutor_id and st.id = x.student_id where s.id = 3`;

/** A shared note about the third lesson. */
const ADD_NOTE = `insert into lesson_notes (tutor_id, session_id, student_id, version, did, created_at, published_at)
  select tutor_id, session_id, student_id, 2, 'Fractions', now(), now() from session_students where session_id = 3`;

const ADD_PLAN = `insert into instalment_plans (tutor_id, id, family_id, currency, created_at)
    select tutor_id, 1, family_id, currency, now() from charges where id = 2;
  insert into instalment_plan_charges (tutor_id, plan_id, charge_id) select tutor_id, 1, id from charges where id = 2`;

const ADD_DEPARTURE = `insert into time_off (tutor_id, id, student_id, from_date, is_departure, created_at)
  select tutor_id, 90, id, '2027-01-01', true, now() from students where id = 1`;

const CORRUPTIONS: Record<string, Record<string, string>> = {
  'a billable seat has a charge': {
    'no charge': `update charges set reversed = true where id = 1`,
    'the charge is for another student': `update charges set student_id = 2 where id = 1`,
  },
  'a payer is charged once for a seat': {
    'a payer with two charges': `drop index charges_one_per_payer;
      update charges set session_id = 1 where id = 2`,
  },
  'the charges for a seat do not exceed its fee': {
    'a lower fee': `update session_students set fee = 3499 where session_id = 1`,
  },
  'the main contact of a student may see everything': {
    'no access': `delete from contact_access where student_id = 1`,
    'without money': `update contact_access set sees_money = false where student_id = 1`,
  },
  'the main contact of a student is not another student': {
    'another student': `update students set contact_id =
      (select c.contact_id from students c where c.name = 'Noor') where id = 1`,
  },
  'the contact who is a student has the details of the student': {
    'a different name': `update contacts set name = 'Somebody' where student_id is not null`,
    'a different phone number': `update students set phone = '+447700900001' where name = 'Noor'`,
  },
  'the directory of the family portal has exactly the addresses of the contacts': {
    'an address is missing': `delete from contact_directory; update contacts set email = 'a@families.example' where id = 1`,
    'an earlier address': `update contacts set email = 'a@families.example' where id = 1;
      update contact_directory set address_hash = sha256('b@families.example') where contact_id = 1 and kind = 'email'`,
    'an earlier phone number': `update contacts set phone = '+447700900001' where id = 1;
      update contact_directory set address_hash = sha256('+447700900002') where contact_id = 1 and kind = 'phone'`,
    'the address of an erased contact': `update contacts set email = null where id = 1;
      insert into contact_directory (address_hash, tutor_id, contact_id, public_id, kind)
      select sha256('a@families.example'), tutor_id, id, public_id, 'email' from contacts where id = 1 on conflict do nothing`,
  },
  'a pending request to move is about a lesson that takes place at that time': {
    'a cancelled lesson': `${ADD_MOVE_REQUEST}; update sessions set status = 'cancelled' where id = 3`,
    'a cancelled seat': `${ADD_MOVE_REQUEST}; update session_students set state = 'cancelled', cancelled_by = 'tutor' where session_id = 3`,
    'a different time': `${ADD_MOVE_REQUEST}; update sessions set start_time = '09:00' where id = 3`,
    'another student': `${ADD_MOVE_REQUEST}; update session_students set student_id = 99 where session_id = 3`,
  },
  'a pending request to move will be closed when the lesson starts': {
    'no scheduled work': ADD_MOVE_REQUEST,
  },
  'the draft of a note is its last version': {
    'an earlier draft': `${ADD_NOTE}; insert into lesson_notes (tutor_id, session_id, student_id, version, did, created_at)
      select tutor_id, session_id, student_id, 1, 'Draft', now() from lesson_notes`,
  },
  'a note follows its lesson to another time': {
    'left at the earlier time': `${ADD_NOTE}; update sessions set status = 'rescheduled', rescheduled_to_id = (
        select min(x.session_id) from session_students x join session_students y using (tutor_id, student_id)
        where y.session_id = 3 and x.session_id <> 3) where id = 3`,
  },
  'only shared notes are emailed': {
    'a draft': `${ADD_NOTE}; insert into messages (tutor_id, id, public_id, dedupe_key, kind, channel, state, to_name, address, subject, text, created_at)
        select tutor_id, 9001, 'note', 'note', 'lesson_notes', 'email', 'sent', 'a', 'a', 'a', 'a', now() from lesson_notes;
      insert into note_emails (tutor_id, contact_id, session_id, student_id, version, message_id)
        select n.tutor_id, s.contact_id, n.session_id, n.student_id, n.version, 9001
        from lesson_notes n join students s on s.tutor_id = n.tutor_id and s.id = n.student_id;
      update lesson_notes set published_at = null`,
  },
  'the percentages of the payers of a student add up to 100 on every date': {
    '99 per cent': `update student_payers set percent = 99 where student_id = 1`,
    'no first payer': `update student_payers set position = 1 where student_id = 1`,
  },
  'a student has payers from the start': {
    'from a later date': `update student_payers set from_date = '2026-01-01' where student_id = 1`,
  },
  'a payer of an active student is one of the contacts': {
    'another family': `update student_payers set family_id =
      (select f.id from families f join students s on s.contact_id = f.contact_id where s.name = 'Noor') where student_id = 1`,
  },
  'the seat of a charge is billable or was invoiced in advance': {
    'a seat with a waived fee': `update session_students set is_billable = false where session_id = 1`,
    'a future session without an invoice': `update charges set invoice_id = null where id = 3`,
    'the student left the session': `update session_students set student_id = 2 where session_id = 3`,
  },
  'a travel fee is charged for a completed session, once to each payer and at most in full': {
    'more than the travel fee': `with s as (update sessions set travel_fee = 100 where id = 1)
      update charges set kind = 'travel' where id = 1`,
    'a future session': `with s as (update sessions set travel_fee = 99999 where id = 3)
      update charges set kind = 'travel' where id = 3`,
  },
  'only a seat with a fee, cancelled or in a completed or cancelled session, is billable': {
    'a future session': `update session_students set is_billable = true where session_id = 4`,
    'a free seat': `update session_students set fee = null where session_id = 1`,
  },
  'the charges of an instalment plan have its account and currency': {
    'a different account': `${ADD_PLAN}; update instalment_plans set family_id = 2`,
    'a different currency': `${ADD_PLAN}; update instalment_plans set currency = 'EUR'`,
    'a credit note': `${ADD_PLAN}; update instalment_plan_charges set charge_id = 4`,
  },
  'a student who leaves has open-ended time off from the day after the last day, and nobody else has':
    {
      'no time off': `update students set status = 'left', left_on = '2026-12-01' where id = 1`,
      'from the wrong day': `update students set status = 'left', left_on = '2026-12-01' where id = 1; ${ADD_DEPARTURE}`,
      'with an end': `update students set status = 'left', left_on = '2026-12-31' where id = 1; ${ADD_DEPARTURE};
      update time_off set to_date = '2027-02-01'`,
      'a student who has come back': ADD_DEPARTURE,
    },
  'every session has a student, and a scheduled one has a student who is expected': {
    'no student': `delete from session_students where session_id = 1`,
    'only cancelled students': `update session_students set state = 'cancelled', cancelled_by = 'tutor' where session_id = 4`,
  },
  'only a pause of the same student cancels a seat': {
    'another student': `insert into time_off (tutor_id, id, student_id, from_date, created_at)
      select tutor_id, 90, 2, '2026-11-01', now() from sessions where id = 4;
      update session_students set time_off_id = 90 where session_id = 4`,
    'the tutor': `insert into time_off (tutor_id, id, from_date, to_date, created_at)
      select tutor_id, 90, '2026-11-01', '2027-01-01', now() from sessions where id = 4;
      update session_students set time_off_id = 90 where session_id = 4`,
  },
  'a seat that a pause cancelled is cancelled, or in a cancelled session': {
    'expected in a scheduled session': `insert into time_off (tutor_id, id, student_id, from_date, created_at)
      select tutor_id, 90, student_id, '2026-11-01', now() from session_students where session_id = 4;
      update session_students set time_off_id = 90 where session_id = 4`,
  },
  'the students of a session have one currency': {
    'two currencies': `insert into session_students (tutor_id, session_id, student_id, position, currency, fee_source)
      select tutor_id, session_id, 2, 1, 'EUR', 'lesson' from session_students where session_id = 4`,
  },
  'a fee that was not entered is that of the rate on its date': {
    'no rate': `update session_students set fee_source = 'rate' where session_id = 4`,
    'a rate that was not used': `insert into rates (tutor_id, id, student_id, subject_id, amount, currency, unit, valid_from, created_at)
      select tutor_id, 90, 1, subject_id, 4000, 'GBP', 'hour', '2026-01-01', now() from sessions where id = 4;
      update session_students set fee_source = 'subject' where session_id = 4`,
  },
  'a student is on the roster of a lesson once at a time': {
    'a student who joined twice': `insert into lesson_students (tutor_id, lesson_id, student_id, position, from_date)
      select tutor_id, lesson_id, student_id, 1, '2026-11-20' from lesson_students where lesson_id = 1`,
  },
  'every lesson has a student': {
    'no student': `delete from lesson_students where lesson_id = 1`,
  },
  'reversals of a charge have its account and currency and do not exceed it': {
    'a larger amount': `update charges set amount = -3501 where id = 4`,
    'a different account': `update charges set family_id = 2 where id = 4`,
    'a different currency': `update charges set currency = 'EUR' where id = 4`,
  },
  'the outstanding amount of a charge is its amount less reversals and allocations': {
    'outstanding is a penny too low': `update charges set outstanding = outstanding - 1 where id = 2`,
    'a credit note is missing from credited': `update charges set credited = 0 where id = 3`,
    'marked as reversed without a reversal': `update charges set reversed = true where id = 5`,
    'an allocation is a penny too high': `update allocations set amount = amount + 1 where charge_id = 1`,
  },
  'paid_by_id of a charge is the payment that completed it': {
    missing: `update charges set paid_by_id = null where id = 1`,
    'set while part of the charge is unpaid': `update charges set paid_by_id = 1 where id = 2`,
    'a different payment': `update charges set paid_by_id = 5 where id = 1`,
  },
  'no allocation is negative or crosses accounts or currencies': {
    'a negative sum': `insert into allocations (tutor_id, id, payment_id, charge_id, amount, created_at)
      select tutor_id, 900, payment_id, charge_id, -9000, created_at from allocations where id = 1`,
    'a different account': `update allocations set charge_id = 5 where charge_id = 2`,
    'a different currency': `update payments set currency = 'EUR' where id = 1`,
    'an allocation of a refund': `update allocations set payment_id = 2 where charge_id = 1`,
  },
  'the unallocated amount of a payment is its amount less refunds and allocations': {
    'unallocated is a penny too high': `update payments set unallocated = unallocated + 1 where id = 1`,
    'a refund is missing from refunded': `update payments set refunded = 0 where id = 1`,
    'not marked as reversed despite a reversal': `update payments set reversed = false where id = 3`,
    'marked as reversed without a reversal': `update payments set reversed = true, unallocated = 0 where id = 5`,
    'an allocation is a penny too low': `update allocations set amount = amount - 1 where charge_id = 1`,
  },
  'a refund or reversal has the account and currency of its payment and does not exceed it': {
    'a different account': `update payments set family_id = 2 where id = 2`,
    'a different currency': `update payments set currency = 'EUR' where id = 4`,
    'a larger refund': `update payments set amount = -5001 where id = 2`,
    'a reversal of a different amount': `update payments set amount = -99 where id = 4`,
  },
  'a card payment has exactly one paid checkout with the same account and amount': {
    'no checkout': `update payments set method = 'card' where id = 5`,
    'a different amount': `update payments set method = 'card' where id = 5; ${insertCheckout(5, 701)}`,
  },
  'a paid checkout has a card payment that is not reversed': {
    'a cash payment': insertCheckout(5, 700),
    'a reversed payment': `update payments set method = 'card' where id = 3; ${insertCheckout(3, 100)}`,
  },
  'every card refund matches a reversal at the provider, for the same payment': {
    'no reversal at the provider': `update payments set method = 'card' where id = 2`,
    'the reversal of another payment': `update payments set method = 'card' where id in (2, 5); ${insertCheckout(5, 700)};
      insert into card_reversals (tutor_id, vendor_id, checkout_id, kind, payment_id)
      select tutor_id, 're_1', 1, 'refund', 2 from payments where id = 5`,
  },
  'the balance of an account is the sum of its entries': {
    'a charge is a penny too high': `update charges set amount = amount + 1 where id = 1`,
    'a payment is missing': `delete from payments where id = 1`,
    'a refund is missing': `delete from payments where id = 2`,
  },
  'no account has both credit and debt in one currency': {
    'unallocated money and an unpaid charge': `update payments set unallocated = 1 where id = 1`,
    'a payment in the currency of an unpaid charge': `update payments set currency = 'GBP' where id = 5`,
  },
  'a charge on an invoice has its account and currency and is one of its lines': {
    'not one of the lines': `update charges set invoice_id = 1 where id = 1`,
    'a different account': `update charges set family_id = 2 where id = 2`,
    'a different currency': `update charges set currency = 'EUR' where id = 2`,
    'a different amount': `update invoice_lines set amount = amount + 1 where charge_id = 2`,
    'the invoice is a draft': `update invoices set issued_at = null, number = null, sequence = null,
      parties_snapshot = null, issued_on = null where id = 1`,
  },
  'every line of an issued invoice that is not void has a charge on it': {
    'a charge is not on the invoice': `update charges set invoice_id = null where id = 2`,
    'a credit note without its charge entry': `update charges set invoice_id = null where id = 4`,
  },
  'credit notes are numbered without gaps, and the next invoice number is free': {
    'the next invoice number is used': `update business_settings set next_invoice_number = 1`,
    'the next credit note number is used': `update business_settings set next_credit_note_number = 1`,
    'a gap in the sequence': `update invoices set sequence = 2 where kind = 'credit_note'`,
    'the next credit note number leaves a gap': `update business_settings set next_credit_note_number = 3`,
  },
  'the target of a public link exists for the same tutor': {
    'no such message': `insert into public_links (token_hash, tutor_id, kind, target_id, created_at)
      select '\\x00', tutor_id, 'unsubscribe', 99, now() from payments limit 1`,
  },
  'every account and every issued invoice has a link': {
    'an account without a link': `delete from shared_links where kind = 'balance' and target_id = 1`,
    'an invoice without a link': `delete from shared_links where kind = 'invoice' and target_id = 1`,
  },
  'scheduled sessions overlap only if the overlap was accepted': {
    'two sessions at the same time': `alter table sessions drop constraint sessions_no_overlap;
      update sessions s set starts_at = o.starts_at, ends_at = o.ends_at
      from sessions o where s.id = 5 and o.id = 4`,
  },
};

/** Returns the rules broken by the corruption. */
async function violatedRules(statement: string): Promise<string[]> {
  await admin.query('begin');
  try {
    await admin.query(`set local session_replication_role = replica; ${statement}`);
    return (await findViolations(admin, tutorId)).map((violation) => violation.rule);
  } finally {
    await admin.query('rollback');
  }
}

test('valid data has no violations', async () => {
  expect(await findViolations(admin)).toEqual([]);
});

test('every rule is broken by at least one corruption', () => {
  expect(Object.keys(CORRUPTIONS).toSorted()).toEqual(INVARIANTS.toSorted());
});

test('checking one tutor does not report violations for another', async () => {
  await admin.query(`begin; update charges set outstanding = 0`);
  expect(await findViolations(admin, '00000000-0000-7000-8000-000000000000')).toEqual([]);
  expect((await findViolations(admin)).map((violation) => violation.tutorId)).toContain(tutorId);
  await admin.query('rollback');
});

test('a role that is subject to row-level security is rejected', async () => {
  const appClient = new pg.Client(app.urls.appUrl);
  await appClient.connect();
  await expect(findViolations(appClient)).rejects.toThrow('does not see every row');
  await appClient.end();
});

describe.each(Object.entries(CORRUPTIONS))('%s', (rule, corruptions) => {
  test.each(Object.entries(corruptions))('%s', async (_, statement) => {
    expect(await violatedRules(statement)).toContain(rule);
  });
});
