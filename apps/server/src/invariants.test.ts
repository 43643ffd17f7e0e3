import { calendar } from '@lessonbook/contract/calendar';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findViolations, INVARIANTS } from './invariants.ts';
import { newStudent } from './test/factories.ts';
import {
  addLesson,
  createLessonFixture,
  type LessonFixture,
  lessonBody,
  weekly,
} from './test/lesson-fixture.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

/*
 * A sound book, then one wound after another, each in a transaction that is rolled back. The database itself would not
 * let most of them happen, so whoever does it here is its administrator, past policies and triggers.
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

const complete = (desk: LessonFixture, id: number) =>
  desk.browser.call(sessions.completeSession, { params: { id }, body: {} });

/**
 * Family 1 was taught twice (charges 1 and 2, £35 each), paid £50 (payment 1), got £5 back (2), and has invoice 1 for the
 * second lesson and a coming one (charge 3), £10 of which were credited (4). Payment 3 was a mistake (taken back by 4).
 * Family 2 owes its lesson (charge 5) and has €7 in credit (payment 5).
 */
async function seedData(): Promise<void> {
  const desk = await createLessonFixture(app);
  const { browser } = desk;
  await addLesson(desk, weekly());
  await complete(desk, 1);
  await complete(desk, 2);
  const money = { method: 'cash', currency: 'GBP', date: '2026-11-16' } as const;
  const pay = (body: { familyId: number; amount: number; currency?: 'EUR' }) =>
    browser.call(payments.recordPayment, { body: { ...money, ...body } });
  await pay({ familyId: 1, amount: 5000 });
  const back = { amount: 500, date: '2026-11-16' };
  await browser.call(payments.refundPayment, { params: { id: 1 }, body: back });
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
  const other = await newStudent(browser, { name: 'Noor' });
  const theirs = lessonBody(desk, { studentId: other.id, startTime: '18:00', endTime: '19:00' });
  const { sessionId } = await addLesson(desk, theirs);
  await complete(desk, sessionId);
  await pay({ familyId: other.familyId ?? 0, amount: 700, currency: 'EUR' });
  await browser.call(calendar.calendarFeed);
  const book = await browser.call(families.listFamilies);
  expect(book.body.map(({ balances }) => balances)).toEqual([
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

const CORRUPTIONS: Record<string, Record<string, string>> = {
  'a session that is to be paid has exactly one charge': {
    'none is left': `update charges set reversed = true where id = 1`,
    'there are two': `drop index charges_one_per_session;
      update charges set session_id = 1 where id = 2`,
  },
  'a charge of a session belongs to one that is to be paid, or was invoiced ahead': {
    'it was waived': `update sessions set is_billable = false where id = 1`,
    'it is to come and on no invoice': `update charges set invoice_id = null where id = 3`,
  },
  'only a completed or cancelled session is to be paid, and never a free one': {
    'it is to come': `update sessions set is_billable = true where id = 4`,
    'it is free': `update sessions set fee = null where id = 1`,
  },
  'what takes a charge back has its account and currency, and never takes more': {
    'it takes more': `update charges set amount = -3501 where id = 4`,
    'another account': `update charges set family_id = 2 where id = 4`,
    'another currency': `update charges set currency = 'EUR' where id = 4`,
  },
  'what is open of a charge is its amount less what was taken back and paid': {
    'a penny less is open': `update charges set outstanding = outstanding - 1 where id = 2`,
    'a credit note is not counted': `update charges set credited = 0 where id = 3`,
    'it says that it was taken back': `update charges set reversed = true where id = 5`,
    'a penny more was paid': `update allocations set amount = amount + 1 where charge_id = 1`,
  },
  'the payment of a charge is the one that completed it': {
    'none is named': `update charges set paid_by_id = null where id = 1`,
    'one is named while something is open': `update charges set paid_by_id = 1 where id = 2`,
    'another is named': `update charges set paid_by_id = 5 where id = 1`,
  },
  'no allocation is below nothing, and none crosses an account or a currency': {
    'it is below nothing': `insert into allocations (tutor_id, id, payment_id, charge_id, amount, created_at)
      select tutor_id, 900, payment_id, charge_id, -9000, created_at from allocations where id = 1`,
    'another account': `update allocations set charge_id = 5 where charge_id = 2`,
    'another currency': `update payments set currency = 'EUR' where id = 1`,
    'a refund pays': `update allocations set payment_id = 2 where charge_id = 1`,
  },
  'what is free of a payment is its amount less refunds and what it paid': {
    'a penny more is free': `update payments set unallocated = unallocated + 1 where id = 1`,
    'the refund is not counted': `update payments set refunded = 0 where id = 1`,
    'it stands although it was taken back': `update payments set reversed = false where id = 3`,
    'it was taken back by nothing': `update payments set reversed = true, unallocated = 0 where id = 5`,
    'a penny less was paid': `update allocations set amount = amount - 1 where charge_id = 1`,
  },
  'a refund or reversal has the account and currency of its payment, and no refund is larger': {
    'another account': `update payments set family_id = 2 where id = 2`,
    'another currency': `update payments set currency = 'EUR' where id = 4`,
    'a larger refund': `update payments set amount = -5001 where id = 2`,
    'a reversal of another amount': `update payments set amount = -99 where id = 4`,
  },
  'a card payment in the book is one checkout that was paid, of the same account and sum': {
    'there is none': `update payments set method = 'card' where id = 5`,
    'another sum': `update payments set method = 'card' where id = 5; ${insertCheckout(5, 701)}`,
  },
  'a checkout that was paid is a card payment in the book': {
    'it was cash': insertCheckout(5, 700),
    'it was taken back': `update payments set method = 'card' where id = 3; ${insertCheckout(3, 100)}`,
  },
  'what went back to a card is a live refund of its payment, and every such refund was named by the provider':
    {
      'nobody named it': `update payments set method = 'card' where id = 2`,
      'it belongs to another payment': `update payments set method = 'card' where id in (2, 5); ${insertCheckout(5, 700)};
      insert into card_reversals (tutor_id, vendor_id, checkout_id, kind, payment_id)
      select tutor_id, 're_1', 1, 'refund', 2 from payments where id = 5`,
    },
  'the balance of an account is the sum of its entries': {
    'a charge is a penny more': `update charges set amount = amount + 1 where id = 1`,
    'a payment is gone': `delete from payments where id = 1`,
    'a refund is gone': `delete from payments where id = 2`,
  },
  'nobody is both in credit and in debt': {
    'money lies idle': `update payments set unallocated = 1 where id = 1`,
    'a charge is forgotten': `update payments set currency = 'GBP' where id = 5`,
  },
  'a charge on an invoice has its account and currency, and stands among its lines': {
    'it is not among them': `update charges set invoice_id = 1 where id = 1`,
    'another account': `update charges set family_id = 2 where id = 2`,
    'another currency': `update charges set currency = 'EUR' where id = 2`,
    'another amount': `update invoice_lines set amount = amount + 1 where charge_id = 2`,
    'a draft': `update invoices set issued_at = null, number = null, sequence = null, token = null,
      parties_snapshot = null, issued_on = null where id = 1`,
  },
  'every line of an invoice that stands has its charge on it': {
    'a charge was taken off': `update charges set invoice_id = null where id = 2`,
    'a credit note without its entry': `update charges set invoice_id = null where id = 4`,
  },
  'credit notes are numbered without a gap, and the next number of invoices is free': {
    'the next number of invoices is taken': `update business_settings set next_invoice_number = 1`,
    'the next number of notes is taken': `update business_settings set next_credit_note_number = 1`,
    'a gap': `update invoices set sequence = 2 where kind = 'credit_note'`,
    'a gap to come': `update business_settings set next_credit_note_number = 3`,
  },
  'a public link leads to something of its own tutor': {
    'no such family': `update public_links set target_id = 99 where kind = 'balance'`,
    'no such invoice': `update public_links set target_id = 99 where kind = 'invoice'`,
    'a replaced feed': `update calendar_feeds set token = 'another'`,
  },
  'no two scheduled sessions overlap that were not accepted': {
    'two at once': `alter table sessions drop constraint sessions_no_overlap;
      update sessions s set starts_at = o.starts_at, ends_at = o.ends_at
      from sessions o where s.id = 5 and o.id = 4`,
  },
};

/** Which rules are broken while the wound is there. */
async function violatedRules(statement: string): Promise<string[]> {
  await admin.query('begin');
  try {
    await admin.query(`set local session_replication_role = replica; ${statement}`);
    return (await findViolations(admin, tutorId)).map((violation) => violation.rule);
  } finally {
    await admin.query('rollback');
  }
}

test('a sound book has no fault', async () => {
  expect(await findViolations(admin)).toEqual([]);
});

test('every rule has a wound', () => {
  expect(Object.keys(CORRUPTIONS).toSorted()).toEqual(INVARIANTS.toSorted());
});

test('the wounds of one tutor are not seen in the book of another', async () => {
  await admin.query(`begin; update charges set outstanding = 0`);
  expect(await findViolations(admin, '00000000-0000-7000-8000-000000000000')).toEqual([]);
  expect((await findViolations(admin)).map((violation) => violation.tutorId)).toContain(tutorId);
  await admin.query('rollback');
});

test('whoever does not see every row may not say that all is well', async () => {
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
