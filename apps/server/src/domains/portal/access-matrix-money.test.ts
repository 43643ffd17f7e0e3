import { invoices } from '@lessonbook/contract/invoices';
import { portalMoney } from '@lessonbook/contract/portal-charges-and-invoices';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryFromSql } from '../../platform/db/database.ts';
import { createCompletedLesson } from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { addSecondContact, signInToPortal } from '../../test/portal-fixture.ts';
import { createPortalPeople, type PortalPeople } from '../../test/portal-people.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { portalAccounts } from './queries/payment-accounts-visible-to-contact.ts';

/*
 * Whose account each kind of contact sees. Ruth pays for Maya and Leo, Tom for Sam. What a contact may see is checked by the
 * application and by the database, and the tests show that each check is sufficient on its own.
 */

let app: TestApp;
let owner: pg.Client;
let fixture: PortalPeople;
const accounts = { Ruth: 0, Tom: 0 };
const invoiceIds = { Ruth: 0, Tom: 0 };
const NAMES = ['Ruth', 'Tom'] as const;

/** Null if they may not use the portal. */
const ALLOWED: Record<string, string[] | null> = {
  'main contact of two students': ['Ruth'],
  'second contact with lessons': [],
  'second contact with lessons and place': [],
  'second contact who may cancel': [],
  'second contact who may request moves': [],
  // Leo's lessons are on the same account.
  'contact with money only': [],
  'contact with money who may request moves': [],
  'contact with money of both students': ['Ruth'],
  'contact of another family': ['Tom'],
  'contact without any access': null,
  'suspended contact': null,
  'removed contact': null,
  'contact of another tutor': null,
};

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  owner = new pg.Client(app.urls.ownerUrl);
  await owner.connect();
  fixture = await createPortalPeople(app);
  const { family, people, contactIds } = fixture;
  const { browser, maya, leo, sam } = family;
  accounts.Ruth = maya.familyId as number;
  accounts.Tom = sam.familyId as number;
  await createCompletedLesson(family.fixture, maya.id, '2026-11-02', { fee: 31.17 });
  await createCompletedLesson(family.fixture, leo.id, '2026-11-03', { fee: 28.5 });
  await createCompletedLesson(family.fixture, sam.id, '2026-11-03', { fee: 42.29 });
  for (const name of NAMES) {
    const draft = await browser.call(invoices.draftInvoice, {
      body: { familyId: accounts[name], from: '2026-11-01', to: '2026-11-15' },
    });
    invoiceIds[name] = draft.body[0]?.id as number;
    await browser.call(invoices.issueInvoices, { body: { ids: [invoiceIds[name]] } });
  }
  const email = 'aunt@families.example';
  const access = { seesMoney: true };
  const aunt = await addSecondContact(browser, maya.id, { email, access });
  await grantMoney(aunt, [leo.id]);
  const { browser: auntBrowser, login } = await signInToPortal(app, email);
  people.set('contact with money of both students', {
    browser: auntBrowser,
    publicId: login.tutors[0]?.publicId as string,
  });
  contactIds['contact with money of both students'] = aunt;
});
afterAll(async () => {
  await owner.end();
  await app.close();
});

const grantMoney = (contactId: number, studentIds: readonly number[]) =>
  app.admin.query(
    `insert into contact_access (tutor_id, contact_id, student_id, sees_lessons, sees_place, sees_notes, sees_money, may_cancel, may_ask)
     select c.tutor_id, c.id, s, false, false, false, true, false, false from contacts c, unnest($2::int[]) as s
     where c.id = $1 and c.tutor_id = (select tutor_id from contacts where public_id = $3)
     on conflict (tutor_id, contact_id, student_id) do update set sees_money = true`,
    [contactId, studentIds, ruthKey()],
  );
const ruthKey = () => fixture.people.get('main contact of two students')?.publicId;

const FILES = ['invoices', 'pdf', 'statement'] as const;

function pathOf(publicId: string, name: (typeof NAMES)[number], file: (typeof FILES)[number]) {
  const account = `/api/portal/tutors/${publicId}/accounts/${accounts[name]}`;
  if (file === 'pdf') return `${account}/invoices/${invoiceIds[name]}/pdf`;
  return file === 'invoices'
    ? `${account}/invoices`
    : `${account}/statement?from=2026-11-01&to=2026-11-30`;
}

/** The accounts that each person gets from the list, and from each endpoint of one account. */
async function readMatrix() {
  const matrix: Record<string, Record<string, string[] | null>> = {};
  for (const [person, { browser, publicId }] of fixture.people) {
    const { status, body } = await browser.call(portalMoney.portalMoney, { params: { publicId } });
    expect([200, 401], person).toContain(status);
    const money =
      status === 401
        ? null
        : NAMES.filter((name) => body.accounts.some(({ id }) => id === accounts[name]));
    matrix[person] = { money };
    for (const file of FILES) {
      const statuses: number[] = [];
      for (const name of NAMES)
        statuses.push((await browser.send('GET', pathOf(publicId, name, file))).status);
      for (const each of statuses) expect([200, 401, 404], `${person} ${file}`).toContain(each);
      matrix[person][file] = statuses.every((each) => each === 401)
        ? null
        : NAMES.filter((_, index) => statuses[index] === 200);
    }
  }
  return matrix;
}

const EXPECTED = Object.fromEntries(
  Object.entries(ALLOWED).map(([person, names]) => [
    person,
    { money: names, invoices: names, pdf: names, statement: names },
  ]),
);

test('each contact sees exactly the accounts that the tutor allowed', async () => {
  expect(await readMatrix()).toEqual(EXPECTED);
});

/** Whose instalments each person sees, with a plan on both accounts. */
async function readInstalments(): Promise<Record<string, string[] | null>> {
  const amounts = { Ruth: 1717, Tom: 2929 };
  for (const name of NAMES)
    await app.admin.query(
      `with plan as (
         insert into instalment_plans (tutor_id, id, family_id, currency, created_at)
         select f.tutor_id, f.id, f.id, 'GBP', now() from families f
         where f.id = $1 and f.tutor_id = (select tutor_id from contacts where public_id = $3) returning tutor_id, id),
       charges as (
         insert into instalment_plan_charges (tutor_id, plan_id, charge_id)
         select p.tutor_id, p.id, c.id from plan p
         join charges c on c.tutor_id = p.tutor_id and c.family_id = p.id and c.outstanding > 0)
       insert into instalments (tutor_id, plan_id, position, due_on, amount, is_due)
       select tutor_id, id, 1, '2026-12-01', $2, false from plan`,
      [accounts[name], amounts[name], ruthKey()],
    );
  const found: Record<string, string[] | null> = {};
  for (const [person, { browser, publicId }] of fixture.people) {
    const { status, body } = await browser.call(portalMoney.portalMoney, { params: { publicId } });
    const text = JSON.stringify(body);
    found[person] =
      status === 401 ? null : NAMES.filter((name) => text.includes(`:${amounts[name]},`));
  }
  await app.admin.query('delete from instalment_plans');
  return found;
}

test('each contact sees the instalments of exactly the accounts that the tutor allowed', async () => {
  expect(await readInstalments()).toEqual(ALLOWED);
});

/** Asks about a charge that does not exist, so a person who may ask gets a conflict. */
test('each contact may ask about charges of exactly the accounts that the tutor allowed', async () => {
  const found: Record<string, string[] | null> = {};
  for (const [person, { browser, publicId }] of fixture.people) {
    const statuses: number[] = [];
    for (const name of NAMES) {
      const path = `/api/portal/tutors/${publicId}/accounts/${accounts[name]}/queries`;
      const body = { chargeId: 999_999, message: 'Why?' };
      statuses.push((await browser.send('POST', path, body)).status);
    }
    for (const status of statuses) expect([401, 404, 409], person).toContain(status);
    found[person] = statuses.every((status) => status === 401)
      ? null
      : NAMES.filter((_, index) => statuses[index] === 409);
  }
  expect(found).toEqual(ALLOWED);
});

test('a payer never sees the account of the other household', async () => {
  const { family, people, contactIds } = fixture;
  const tom = contactIds['contact of another family'] as number;
  await grantMoney(tom, [family.maya.id, family.leo.id]);
  const { browser, publicId } = people.get('contact of another family') ?? fail();
  const { body } = await browser.call(portalMoney.portalMoney, { params: { publicId } });
  expect(body.accounts.map(({ id }) => id)).toEqual([accounts.Tom]);
  await app.admin.query(
    'delete from contact_access where contact_id = $1 and student_id = any($2)',
    [tom, [family.maya.id, family.leo.id]],
  );
});

test("an invoice of another account is not found through the person's own account", async () => {
  const { browser, publicId } = fixture.people.get('main contact of two students') ?? fail();
  const path = `/api/portal/tutors/${publicId}/accounts/${accounts.Ruth}/invoices/${invoiceIds.Tom}/pdf`;
  expect((await browser.send('GET', path)).status).toBe(404);
});

test('only the payer gets the pay link and the addresses', async () => {
  const { browser: tutor } = fixture.family;
  await tutor.send('PUT', `/api/families/${accounts.Ruth}`, {
    address: '12 Secret Street',
    reference: 'HALE1',
  });
  const texts: Record<string, string> = {};
  for (const person of ['main contact of two students', 'contact with money of both students']) {
    const { browser, publicId } = fixture.people.get(person) ?? fail();
    const { body } = await browser.call(portalMoney.portalMoney, { params: { publicId } });
    const [account] = body.accounts;
    expect(account?.payUrl === null, person).toBe(person !== 'main contact of two students');
    const pages = await fetchPdfPages(app.url, browser, pathOf(publicId, 'Ruth', 'pdf'));
    texts[person] = pages.join('\n');
  }
  expect(texts['main contact of two students']).toContain('Ruth Hale');
  expect(texts['contact with money of both students']).toContain('31.17');
  expect(texts['contact with money of both students']).not.toMatch(/Ruth|Secret|\/pay\//);
});

test('the database alone shows each contact only their accounts', async () => {
  const found: Record<string, string[]> = {};
  for (const [person, contactId] of Object.entries(fixture.contactIds)) {
    const { rows } = await app.admin.query<{ tutor_id: string; login_id: string }>(
      'select tutor_id, login_id from contact_logins where contact_id = $1 order by first_seen_at limit 1',
      [contactId],
    );
    const [visit] = rows;
    const principal = {
      tutorId: visit?.tutor_id ?? '',
      contactId,
      loginId: visit?.login_id ?? '',
      at: app.clock.now(),
    };
    const [visible] = await app.context.db.contactRead(principal, (tx) => [portalAccounts(tx)]);
    found[person] = NAMES.filter((name) =>
      visible.some(({ familyId }) => familyId === accounts[name]),
    );
    const feed = { ...principal, loginId: 'feed' };
    expect(await app.context.db.contactRead(feed, (tx) => [portalAccounts(tx)])).toEqual([[]]);
    // The contact's role cannot read the contents of an account, such as its instalments; the application reads them.
    const readPlans = app.context.db.contactRead(principal, (tx) => [
      queryFromSql(tx, sql<object>`select from instalments`),
    ]);
    await expect(readPlans).rejects.toThrow('permission denied');
  }
  const { 'contact of another tutor': _, ...expected } = ALLOWED;
  expect(found).toEqual(
    Object.fromEntries(Object.entries(expected).map(([person, names]) => [person, names ?? []])),
  );
});

test('the application alone lets each contact see only their accounts', async () => {
  const { rows } = await owner.query<{ definition: string }>(
    "select pg_get_viewdef('portal_accounts'::regclass) as definition",
  );
  await owner.query(`create or replace view portal_accounts as
    select f.tutor_id, f.id as family_id, f.contact_id = current_setting('app.contact_id')::integer as is_payer
    from families f where f.tutor_id = current_setting('app.tutor_id')::uuid`);
  try {
    expect(await readMatrix()).toEqual(EXPECTED);
    expect(await readInstalments()).toEqual(ALLOWED);
  } finally {
    await owner.query(
      `create or replace view portal_accounts with (security_barrier) as ${rows[0]?.definition}`,
    );
  }
  expect(await readMatrix()).toEqual(EXPECTED);
});

function fail(): never {
  throw new Error('No such person');
}
