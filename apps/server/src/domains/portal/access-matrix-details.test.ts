import { portalDetails } from '@lessonbook/contract/portal-contact-details';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPortalPeople, type PortalPeople } from '../../test/portal-people.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { portalContact } from './queries/portal-views.ts';

/*
 * Each kind of contact can see and change only their own contact details. What a contact may see is checked by the
 * application and by the database, and the tests show that each check is sufficient on its own.
 */

let app: TestApp;
let owner: pg.Client;
let fixture: PortalPeople;

/** Those who may not use the portal. */
const EXCLUDED = new Set([
  'contact without any access',
  'suspended contact',
  'removed contact',
  'contact of another tutor',
]);

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  owner = new pg.Client(app.urls.ownerUrl);
  await owner.connect();
  fixture = await createPortalPeople(app);
  await fixture.add('contact with money of both students', { seesMoney: true });
  await app.admin.query('update login_directory set email_verified_at = now()');
  await app.admin.query(`update contacts set phone = '+44770090' || (1000 + id)`);
}, 120_000);
afterAll(async () => {
  await owner.end();
  await app.close();
});

const phoneOf = (name: string) => `+44770090${1000 + (fixture.contactIds[name] ?? 0)}`;

/** Returns the names of the people whose phone number or email address occurs in the text. */
async function findPeople(text: string): Promise<string[]> {
  const { rows } = await app.admin.query<{ id: number; email: string }>(
    'select id, email from contacts where id = any($1) and tutor_id = (select tutor_id from contacts where public_id = $2)',
    [Object.values(fixture.contactIds), keyOf('main contact of two students')],
  );
  return Object.entries(fixture.contactIds).flatMap(([name, id]) => {
    const email = rows.find((row) => row.id === id)?.email ?? '';
    return text.includes(email) || text.includes(phoneOf(name)) ? [name] : [];
  });
}

const keyOf = (name: string) => fixture.people.get(name)?.publicId as string;

async function readMatrix(): Promise<Record<string, string[] | null>> {
  const matrix: Record<string, string[] | null> = {};
  for (const [name, { browser, publicId }] of fixture.people) {
    const { status, body } = await browser.call(portalDetails.portalDetails, {
      params: { publicId },
    });
    expect([200, 401], name).toContain(status);
    matrix[name] = status === 401 ? null : await findPeople(JSON.stringify(body));
  }
  return matrix;
}

const expectedMatrix = () =>
  Object.fromEntries(
    [...fixture.people.keys()].map((name) => [name, EXCLUDED.has(name) ? null : [name]]),
  );

test('the fixture has every kind of contact', () => {
  expect(fixture.people.size).toBe(13);
});

test('each contact sees exactly their own details', async () => {
  expect(await readMatrix()).toEqual(expectedMatrix());
});

/** Each of these writes is always invalid, so nothing changes. */
const WRITES = [
  ['PUT', 'phone', { phone: '12' }, 400],
  ['PUT', 'email', { requestId: 'made-up', code: '123456' }, 400],
  ['PUT', 'reminders', { kind: 'whatsapp', isOn: true }, 409],
] as const;

test('each contact may change exactly their own details', async () => {
  const found: Record<string, number[]> = {};
  const keys = [...new Set([...fixture.people.values()].map(({ publicId }) => publicId))];
  for (const [name, { browser, publicId: own }] of fixture.people) {
    const { body } = await browser.send('GET', `/api/portal/tutors/${own}/details`);
    const email = String((body as { email?: string }).email);
    const writes = [...WRITES, ['POST', 'email-codes', { email }, 400] as const];
    found[name] = [];
    for (const [method, path, input] of writes) {
      const { status } = await browser.send(method, `/api/portal/tutors/${own}/${path}`, input);
      found[name].push(status);
      for (const publicId of keys.filter((key) => key !== own))
        expect(
          (await browser.send(method, `/api/portal/tutors/${publicId}/${path}`, input)).status,
          `${name} ${path}`,
        ).toBe(401);
    }
  }
  const statuses = [...WRITES.map(([, , , status]) => status), 400];
  expect(found).toEqual(
    Object.fromEntries(
      Object.keys(found).map((name) => [
        name,
        EXCLUDED.has(name) ? statuses.map(() => 401) : statuses,
      ]),
    ),
  );
});

test('the database alone shows each contact only their own details, and shows no details to a calendar feed', async () => {
  await app.admin.query(
    'insert into contact_feeds select tutor_id, id, now() from contacts on conflict do nothing',
  );
  const found: Record<string, string[] | null> = {};
  for (const [name, contactId] of Object.entries(fixture.contactIds)) {
    const { rows } = await app.admin.query<{ tutor_id: string; login_id: string }>(
      'select tutor_id, login_id from contact_logins where contact_id = $1 order by first_seen_at limit 1',
      [contactId],
    );
    const principal = {
      tutorId: rows[0]?.tutor_id ?? '',
      contactId,
      loginId: rows[0]?.login_id ?? '',
      at: app.clock.now(),
    };
    const [visible] = await app.context.db.contactRead(principal, (tx) => [portalContact(tx)]);
    found[name] = visible.length === 0 ? null : await findPeople(JSON.stringify(visible));
    const feed = { ...principal, loginId: 'feed' };
    expect(await app.context.db.contactRead(feed, (tx) => [portalContact(tx)]), name).toEqual([[]]);
  }
  const { 'contact of another tutor': _, ...expected } = expectedMatrix();
  expect(found).toEqual(expected);
});

test('the application alone shows each contact only their own details', async () => {
  const { rows } = await owner.query<{ definition: string }>(
    "select pg_get_viewdef('portal_contact'::regclass) as definition",
  );
  await owner.query(`create or replace view portal_contact as
    select c.tutor_id, c.id as contact_id, c.name, c.relationship, c.email, c.phone, c.student_id is not null as is_student,
      true as is_payer
    from contacts c where c.tutor_id = current_setting('app.tutor_id')::uuid`);
  try {
    expect(await readMatrix()).toEqual(expectedMatrix());
  } finally {
    await owner.query(
      `create or replace view portal_contact with (security_barrier) as ${rows[0]?.definition}`,
    );
  }
  expect(await readMatrix()).toEqual(expectedMatrix());
});
