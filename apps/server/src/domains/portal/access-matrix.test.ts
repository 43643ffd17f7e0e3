import type { Endpoint } from '@lessonbook/contract/endpoint';
import { portalFeeds } from '@lessonbook/contract/portal-feed';
import { portalSettings } from '@lessonbook/contract/portal-settings';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppError } from '../../platform/app-error.ts';
import { rawQuery } from '../../platform/db/database.ts';
import type { ContactPrincipal } from '../../platform/db/principal.ts';
import type { Browser } from '../../test/browser-client.ts';
import { parseIcs, pathOf } from '../../test/ics-reader.ts';
import {
  addSecondContact,
  createPortalFixture,
  signInToPortal,
} from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { cancelPortalLessons } from './service/cancel-lessons.ts';

/*
 * Every endpoint of the family portal, for every kind of contact. What a contact may see is checked twice, by the application
 * and by the database, and each check is shown to be enough without the other.
 */

let app: TestApp;
let owner: pg.Client;
let family: Awaited<ReturnType<typeof createPortalFixture>>;
let otherTutor: Awaited<ReturnType<typeof createPortalFixture>>;
const people = new Map<string, { browser: Browser; publicId: string }>();
const contactIds: Record<string, number> = {};

/** Texts that only some contacts may see. */
const CANARIES = {
  'lessons of Maya': '"studentName":"Maya"',
  'place of Maya': '12 Canary Lane',
  'price of Maya': '3117',
  'lessons of Leo': '"studentName":"Leo"',
  'place of Leo': '7 Linden Road',
  'price of Leo': '2850',
  'student of another family': 'Sam',
  'price of another family': '4229',
  'title of the group': 'Year 11',
  surname: 'Hale',
} as const;
type Canary = keyof typeof CANARIES;

const VIEWS = [
  'portal_access',
  'portal_tutor',
  'portal_lessons',
  'portal_policies',
  'portal_terms',
  'portal_free_cancellations',
];

const MAYA: Canary[] = ['lessons of Maya', 'place of Maya', 'price of Maya'];
const LEO: Canary[] = ['lessons of Leo', 'place of Leo', 'price of Leo'];

/** What each kind of contact may see; null if they may not use the portal. */
const ALLOWED: Record<string, Canary[] | null> = {
  'main contact of two students': [...MAYA, ...LEO],
  'second contact with lessons': ['lessons of Maya'],
  'second contact with lessons and place': ['lessons of Maya', 'place of Maya'],
  'second contact who may cancel': ['lessons of Maya', 'price of Maya'],
  'contact with money only': [],
  'contact of another family': [
    'student of another family',
    'place of Maya',
    'price of another family',
  ],
  'contact without any access': null,
  'suspended contact': null,
  'removed contact': null,
  'contact of another tutor': null,
};

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  owner = new pg.Client(app.urls.ownerUrl);
  await owner.connect();
  family = await createPortalFixture(app);
  otherTutor = await createPortalFixture(app);
  const add = async (name: string, access: Parameters<typeof addSecondContact>[2]['access']) => {
    const email = `${name.replaceAll(' ', '-')}@families.example`;
    contactIds[name] = await addSecondContact(family.browser, family.maya.id, { email, access });
    await signIn(name, email);
  };
  await signIn('main contact of two students', family.ruthEmail);
  contactIds['main contact of two students'] = family.contacts.ruth;
  await signIn('contact of another family', family.tomEmail);
  contactIds['contact of another family'] = family.contacts.tom;
  await add('second contact with lessons', { seesLessons: true });
  await add('second contact with lessons and place', { seesLessons: true, seesPlace: true });
  await add('second contact who may cancel', { seesLessons: true, mayCancel: true });
  await add('contact with money only', { seesMoney: true });
  for (const name of ['contact without any access', 'suspended contact', 'removed contact'])
    await add(name, { seesLessons: true, seesPlace: true, seesMoney: true });
  await endAccess();
  // Uses the key of the main contact of the first tutor.
  const { browser } = await signInToPortal(app, otherTutor.ruthEmail);
  const publicId = people.get('main contact of two students')?.publicId as string;
  people.set('contact of another tutor', { browser, publicId });
}, 120_000);
afterAll(async () => {
  await owner.end();
  await app.close();
});

async function signIn(name: string, email: string): Promise<void> {
  const { browser, login } = await signInToPortal(app, email);
  people.set(name, { browser, publicId: login.tutors[0]?.publicId as string });
}

async function endAccess(): Promise<void> {
  const { browser, maya } = family;
  await app.admin.query(
    `update contact_access set sees_lessons = false, sees_place = false, sees_money = false
     where contact_id = $1 and student_id = $2`,
    [contactIds['contact without any access'], maya.id],
  );
  await browser.call(portalSettings.suspendContact, {
    params: { id: Number(contactIds['suspended contact']) },
    body: { isSuspended: true },
  });
  await browser.send(
    'DELETE',
    `/api/students/${maya.id}/contacts/${contactIds['removed contact']}`,
  );
}

/** The endpoints that read; what may be cancelled has a matrix of its own. */
const contactEndpoints = (): Endpoint[] =>
  app.http.endpoints.filter(({ access, method }) => access === 'contact' && method === 'GET');

const SEATS = ['Maya', 'Leo', 'Sam'] as const;

/** Whose lessons each kind of contact may cancel; null if they may not use the portal. */
const MAY_CANCEL: Record<string, string[] | null> = {
  'main contact of two students': ['Maya', 'Leo'],
  'second contact with lessons': [],
  'second contact with lessons and place': [],
  'second contact who may cancel': ['Maya'],
  'contact with money only': [],
  'contact of another family': ['Sam'],
  'contact without any access': null,
  'suspended contact': null,
  'removed contact': null,
  'contact of another tutor': null,
};

const seatOf = (name: (typeof SEATS)[number]) => {
  const { maya, leo, sam, group, own } = family;
  const sessionId = name === 'Leo' ? own.sessionId : group.sessionId;
  return { sessionId, studentId: { Maya: maya, Leo: leo, Sam: sam }[name].id };
};

/** Asks to cancel for a fee that is never right: who may cancel is asked to look again, and nothing changes. */
async function readCancelMatrix(): Promise<Record<string, string[] | null>> {
  const matrix: Record<string, string[] | null> = {};
  for (const [person, { browser, publicId }] of people) {
    const statuses: Record<string, number> = {};
    for (const name of SEATS) {
      const lessons = [{ ...seatOf(name), fee: 1 }];
      const path = `/api/portal/tutors/${publicId}/cancellations`;
      statuses[name] = (await browser.send('POST', path, { lessons })).status;
    }
    const unexpected = Object.values(statuses).filter(
      (status) => ![401, 404, 409].includes(status),
    );
    expect(unexpected, person).toEqual([]);
    matrix[person] = Object.values(statuses).every((status) => status === 401)
      ? null
      : SEATS.filter((name) => statuses[name] === 409);
  }
  return matrix;
}

/** What each person gets from every endpoint: the canaries, or null if every call was rejected. */
async function readMatrix(): Promise<Record<string, Canary[] | null>> {
  const matrix: Record<string, Canary[] | null> = {};
  for (const [name, { browser, publicId }] of people) {
    const replies = [];
    for (const { method, path } of contactEndpoints())
      replies.push(await browser.send(method, path.replace(':publicId', publicId)));
    matrix[name] = replies.every(({ status }) => status === 401)
      ? null
      : findCanaries(JSON.stringify(replies.map(({ body }) => body)));
  }
  return matrix;
}

/** What the calendar feed of each person shows; null if they cannot have one. */
async function readFeedMatrix(): Promise<Record<string, Canary[] | null>> {
  const matrix: Record<string, Canary[] | null> = {};
  for (const [name, { browser, publicId }] of people) {
    const created = await browser.call(portalFeeds.createPortalFeed, { params: { publicId } });
    expect([200, 401, 403], name).toContain(created.status);
    if (created.status !== 200) {
      matrix[name] = null;
      continue;
    }
    const text = await (await fetch(app.url + pathOf(created.body.url as string))).text();
    const events = parseIcs(text).events.map(({ uid: _, summary, ...event }) => ({
      studentName: summary.split(':')[0],
      ...event,
    }));
    const withoutIds = text.replaceAll('\r\n ', '').replaceAll(/^UID:.*$/gm, '');
    matrix[name] = findCanaries(withoutIds + JSON.stringify(events));
  }
  return matrix;
}

/** No feed has prices, and without a visible lesson there is none. */
const FEED_ALLOWED = Object.fromEntries(
  Object.entries(ALLOWED).map(([name, canaries]) => [
    name,
    canaries?.length ? canaries.filter((canary) => !canary.startsWith('price')) : null,
  ]),
);

const findCanaries = (text: string): Canary[] =>
  (Object.keys(CANARIES) as Canary[]).filter((canary) => text.includes(CANARIES[canary]));

const sorted = (matrix: Record<string, Canary[] | null>) =>
  Object.fromEntries(
    Object.entries(matrix).map(([name, canaries]) => [name, canaries?.toSorted() ?? null]),
  );

test('every endpoint of the portal that reads is called without more input than the contact', () => {
  expect(contactEndpoints().length).toBeGreaterThan(0);
  const writes = app.http.endpoints.filter(
    ({ access, method }) => access === 'contact' && method !== 'GET',
  );
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/portal/tutors/:publicId/cancellations',
    'POST /api/portal/tutors/:publicId/feed',
    'DELETE /api/portal/tutors/:publicId/feed',
  ]);
  for (const { method, path } of contactEndpoints())
    expect(`${method} ${path.replace(':publicId', '')}`).toMatch(/^GET [^:]*$/);
});

test('each contact sees exactly what the tutor allowed', async () => {
  expect(sorted(await readMatrix())).toEqual(sorted(ALLOWED));
});

test('each contact may cancel exactly what the tutor allowed', async () => {
  expect(await readCancelMatrix()).toEqual(MAY_CANCEL);
});

test('the calendar feed of each contact shows exactly what the tutor allowed', async () => {
  expect(sorted(await readFeedMatrix())).toEqual(sorted(FEED_ALLOWED));
});

test('no one gets in with the key of another contact, without a login or with a made-up one', async () => {
  const keys = [...people.values()].map(({ publicId }) => publicId);
  const [endpoint] = contactEndpoints() as [Endpoint];
  for (const [name, { browser, publicId: own }] of people)
    for (const publicId of keys.filter((key) => key !== own)) {
      const { status } = await browser.send('GET', endpoint.path.replace(':publicId', publicId));
      expect(status, name).toBe(401);
    }
  const stranger = app.browser();
  expect(
    (await stranger.send('GET', endpoint.path.replace(':publicId', keys[0] as string))).status,
  ).toBe(401);
});

describe('the database alone', () => {
  const principalOf = async (name: string): Promise<ContactPrincipal> => {
    const contactId = contactIds[name] as number;
    const { rows } = await app.admin.query<{ tutor_id: string; login_id: string }>(
      'select tutor_id, login_id from contact_logins where contact_id = $1 order by first_seen_at limit 1',
      [contactId],
    );
    return { tutorId: rows[0]?.tutor_id ?? '', contactId, loginId: rows[0]?.login_id ?? '' };
  };
  const readAll = (principal: ContactPrincipal, view: string) =>
    app.context.db.contactRead(principal, (tx) => [
      rawQuery(tx, sql<Record<string, unknown>>`select * from ${sql.table(view)}`),
    ]);

  test('shows each contact only what the tutor allowed, whatever the application asks for', async () => {
    await app.admin.query(
      'insert into contact_feeds select tutor_id, id, now() from contacts on conflict do nothing',
    );
    const { 'contact of another tutor': _, ...expected } = ALLOWED;
    expect(sorted(await readViewMatrix(principalOf))).toEqual(sorted(expected));
    const feedOf = async (name: string) => ({ ...(await principalOf(name)), loginId: 'feed' });
    expect(sorted(await readViewMatrix(feedOf))).toEqual(sorted(expected));
  });

  async function readViewMatrix(toPrincipal: (name: string) => Promise<ContactPrincipal>) {
    const found: Record<string, Canary[] | null> = {};
    for (const name of Object.keys(contactIds)) {
      const principal = await toPrincipal(name);
      const [access] = await readAll(principal, 'portal_access');
      const [rows] = await readAll(principal, 'portal_lessons');
      const text = JSON.stringify(
        rows.map(({ student_name, public_id: _, ...row }) => ({
          studentName: String(student_name).split(' ')[0],
          ...row,
        })),
      );
      found[name] = access.length === 0 ? null : findCanaries(text);
    }
    return found;
  }

  test('lets each contact cancel only what the tutor allowed, although the application allows everything', async () => {
    const found: Record<string, string[] | null> = {};
    const { maya, leo, sam } = family;
    const students = [maya, leo, sam].map(({ id, name }) => ({
      id,
      name,
      seesLessons: true,
      seesPlace: true,
      seesMoney: true,
      mayCancel: true,
      mayAsk: true,
    }));
    for (const person of Object.keys(contactIds)) {
      const contact = { ...(await principalOf(person)), students };
      const codes: Record<string, string> = {};
      for (const name of SEATS) {
        const lessons = [{ ...seatOf(name), fee: 1, usesFreeCancellation: false }];
        const input = { lessons, isIllness: false };
        await cancelPortalLessons(app.context, contact, input, null).catch((error: unknown) => {
          codes[name] = (error as AppError).code;
        });
      }
      found[person] = Object.values(codes).every((code) => code === 'unauthenticated')
        ? null
        : SEATS.filter((name) => codes[name] === 'fee_changed');
    }
    const { 'contact of another tutor': _, ...expected } = MAY_CANCEL;
    expect(found).toEqual(expected);
  });

  test('shows nothing with a login that was revoked, or of another person or tutor', async () => {
    const ruth = await principalOf('main contact of two students');
    const tom = await principalOf('contact of another family');
    await app.admin.query('delete from contact_feeds where contact_id = $1', [ruth.contactId]);
    for (const principal of [
      { ...ruth, loginId: 'feed' },
      { ...ruth, loginId: 'made-up' },
      { ...ruth, loginId: tom.loginId },
      { ...ruth, tutorId: '00000000-0000-7000-8000-000000000000' },
    ])
      for (const view of VIEWS)
        expect(await readAll(principal, view), JSON.stringify(principal)).toEqual([[]]);
  });

  test('the role of a contact can read no table, and change nothing', async () => {
    const ruth = await principalOf('main contact of two students');
    const { rows: tables } = await app.admin.query<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
         and c.relname <> all($1)`,
      [VIEWS],
    );
    expect(tables.length).toBeGreaterThan(60);
    for (const { name } of tables)
      await expect(readAll(ruth, name), name).rejects.toThrow(/permission denied/);
    const { rows: privileges } = await owner.query<{ privilege: string }>(
      `select distinct privilege_type as privilege from information_schema.table_privileges
       where grantee = 'lessonbook_contact'`,
    );
    expect(privileges).toEqual([{ privilege: 'SELECT' }]);
  });
});

describe('the application alone', () => {
  test('each contact sees exactly what the tutor allowed although the views show everything', async () => {
    const definitions = await replaceViewsByPermissiveOnes();
    try {
      expect(sorted(await readMatrix())).toEqual(sorted(ALLOWED));
      expect(await readCancelMatrix()).toEqual(MAY_CANCEL);
      expect(sorted(await readFeedMatrix())).toEqual(sorted(FEED_ALLOWED));
    } finally {
      for (const [view, definition] of definitions)
        await owner.query(
          `create or replace view ${view} with (security_barrier) as ${definition}`,
        );
    }
    expect(sorted(await readMatrix())).toEqual(sorted(ALLOWED));
  });

  /** Shows every student and lesson of the tutor to every contact. Returns the definitions that were replaced. */
  async function replaceViewsByPermissiveOnes(): Promise<Map<string, string>> {
    const definitions = new Map<string, string>();
    for (const view of ['portal_access', 'portal_lessons']) {
      const { rows } = await owner.query<{ definition: string }>(
        'select pg_get_viewdef($1::regclass) as definition',
        [view],
      );
      definitions.set(view, rows[0]?.definition ?? '');
    }
    await owner.query(`create or replace view portal_access as
      select s.tutor_id, c.id as contact_id, c.name as contact_name, c.time_zone, s.id as student_id, s.name as student_name,
        true as sees_lessons, true as sees_place, true as sees_money, true as may_cancel, true as may_ask
      from students s join contacts c on c.tutor_id = s.tutor_id and c.id = current_setting('app.contact_id')::integer
      where s.tutor_id = current_setting('app.tutor_id')::uuid`);
    await owner.query(`create or replace view portal_lessons as
      select s.tutor_id, s.id as session_id, x.student_id, t.name as student_name, b.name as subject_name, s.date,
        s.start_time, s.end_time, s.starts_at, s.ends_at, s.status as state, true as is_group, s.place,
        coalesce(x.fee, 0) as fee, x.currency, s.created_at as booked_at, true as is_payer, s.public_id,
        s.sequence
      from session_students x
      join students t on t.tutor_id = x.tutor_id and t.id = x.student_id
      join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      where x.tutor_id = current_setting('app.tutor_id')::uuid`);
    return definitions;
  }
});
