import type { Endpoint } from '@lessonbook/contract/endpoint';
import { portalFeeds } from '@lessonbook/contract/portal-feed';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppError } from '../../platform/app-error.ts';
import { queryFromSql } from '../../platform/db/database.ts';
import type { ContactPrincipal } from '../../platform/db/set-transaction-principal.ts';
import { parseIcs, pathOf } from '../../test/ics-reader.ts';
import {
  addMoveRequests,
  createPortalPeople,
  PORTAL_VIEWS,
  type PortalPeople,
  readStatusMatrix,
  requestOf,
  SEATS,
  type SeatName,
  seatOf as seatOfFixture,
} from '../../test/portal-people.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { acceptSuggestion } from './service/accept-suggested-lesson-time.ts';
import { cancelPortalLessons } from './service/cancel-lessons.ts';
import { findContactLogin } from './service/find-signed-in-contact.ts';
import { readInitialPageData } from './service/initial-page-data.ts';
import { askToMove } from './service/move-requests.ts';

/*
 * Every endpoint of the family portal, for every kind of contact. What a contact may see is checked by the application and
 * by the database, and the tests show that each check is sufficient on its own. Notes have a matrix of their own.
 */

let app: TestApp;
let owner: pg.Client;
let fixture: PortalPeople;
let family: PortalPeople['family'];
let people: PortalPeople['people'];
let contactIds: PortalPeople['contactIds'];

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
  'words to Ruth': 'Between Ruth and her tutor',
} as const;
type Canary = keyof typeof CANARIES;

const MAYA: Canary[] = ['lessons of Maya', 'place of Maya', 'price of Maya'];
const LEO: Canary[] = ['lessons of Leo', 'place of Leo', 'price of Leo'];

/** What each kind of contact may see; null if they may not use the portal. */
const ALLOWED: Record<string, Canary[] | null> = {
  'main contact of two students': [...MAYA, ...LEO, 'words to Ruth'],
  'second contact with lessons': ['lessons of Maya'],
  'second contact with lessons and place': ['lessons of Maya', 'place of Maya'],
  'second contact who may cancel': ['lessons of Maya', 'price of Maya'],
  'second contact who may request moves': ['lessons of Maya'],
  'contact with money only': [],
  'contact with money who may request moves': [],
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
  fixture = await createPortalPeople(app);
  ({ family, people, contactIds } = fixture);
  await addMoveRequests(app, fixture, CANARIES['words to Ruth']);
}, 120_000);
afterAll(async () => {
  await owner.end();
  await app.close();
});

/**
 * The endpoints that only read. Cancelling and moving lessons have their own matrices below. The matrices for accounts and
 * for the person's own details are in access-matrix-money.test.ts and access-matrix-details.test.ts.
 */
const contactEndpoints = (): Endpoint[] =>
  app.http.endpoints.filter(
    ({ access, method, path }) =>
      access === 'contact' &&
      method === 'GET' &&
      !/\/(free-times|money|details|agreement|accounts\/.*)$/.test(path),
  );

/** Whose lessons each kind of contact may cancel; null if they may not use the portal. */
const MAY_CANCEL: Record<string, string[] | null> = {
  'main contact of two students': ['Maya', 'Leo'],
  'second contact with lessons': [],
  'second contact with lessons and place': [],
  'second contact who may cancel': ['Maya'],
  'second contact who may request moves': [],
  'contact with money only': [],
  'contact with money who may request moves': [],
  'contact of another family': ['Sam'],
  'contact without any access': null,
  'suspended contact': null,
  'removed contact': null,
  'contact of another tutor': null,
};

const seatOf = (name: SeatName) => seatOfFixture(fixture, name);

/** Sends a fee that is never correct: people who may cancel get a conflict, and nothing changes. */
const readCancelMatrix = () =>
  readStatusMatrix(fixture, [409], ({ browser, publicId }, name) => {
    const lessons = [{ ...seatOf(name), fee: 1 }];
    return browser.send('POST', `/api/portal/tutors/${publicId}/cancellations`, { lessons });
  });

/** Whose lessons each kind of contact may ask to move. */
const MAY_REQUEST_MOVES: Record<string, string[] | null> = {
  ...MAY_CANCEL,
  'second contact who may cancel': [],
  'second contact who may request moves': ['Maya'],
};

/** The students for whom each kind of contact may withdraw a request or accept a time: only for their own requests. */
const MAY_SETTLE: Record<string, string[] | null> = {
  ...MAY_REQUEST_MOVES,
  'second contact who may request moves': [],
};

const PAST = { date: '2026-11-01', startTime: '10:00' };

/** Asks for a time in the past. */
const readAskMatrix = () =>
  readStatusMatrix(fixture, [400, 409], ({ browser, publicId }, name) => {
    const body = { ...seatOf(name), choices: [PAST] };
    return browser.send('POST', `/api/portal/tutors/${publicId}/move-requests`, body);
  });

const readFreeTimesMatrix = () =>
  readStatusMatrix(fixture, [200, 409], ({ browser, publicId }, name) => {
    const { sessionId, studentId } = seatOf(name);
    const query = `sessionId=${sessionId}&studentId=${studentId}`;
    return browser.send('GET', `/api/portal/tutors/${publicId}/free-times?${query}`);
  });

/** Accepts a time that the tutor did not suggest. */
const readAcceptMatrix = () =>
  readStatusMatrix(fixture, [400], ({ browser, publicId }, name) => {
    const path = `/api/portal/tutors/${publicId}/move-requests/${requestOf(name).suggested}/accept`;
    return browser.send('POST', path, PAST);
  });

/** Withdraws a request that the tutor has declined. */
const readWithdrawMatrix = () =>
  readStatusMatrix(fixture, [409], ({ browser, publicId }, name) => {
    const path = `/api/portal/tutors/${publicId}/move-requests/${requestOf(name).declined}`;
    return browser.send('DELETE', path);
  });

async function expectMoveMatrices(): Promise<void> {
  expect(await readAskMatrix()).toEqual(MAY_REQUEST_MOVES);
  expect(await readFreeTimesMatrix()).toEqual(MAY_REQUEST_MOVES);
  expect(await readAcceptMatrix()).toEqual(MAY_SETTLE);
  expect(await readWithdrawMatrix()).toEqual(MAY_SETTLE);
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

/** What is sent with the HTML of each person's page; null if it contains no lessons of that tutor. */
async function readFirstViewMatrix(): Promise<Record<string, Canary[] | null>> {
  const matrix: Record<string, Canary[] | null> = {};
  for (const [name, { browser, publicId }] of people) {
    const login = await findContactLogin(app.context, [...browser.cookies.values()][0] ?? '');
    const view = await readInitialPageData(app.context, login, publicId, { userAgent: '' });
    matrix[name] = view.lessons?.publicId === publicId ? findCanaries(JSON.stringify(view)) : null;
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

/** No feed shows prices or requests, and a contact who sees no lessons has no feed. */
const FEED_ALLOWED = Object.fromEntries(
  Object.entries(ALLOWED).map(([name, canaries]) => [
    name,
    canaries?.length ? canaries.filter((canary) => !/^(price|words)/.test(canary)) : null,
  ]),
);

const findCanaries = (text: string): Canary[] =>
  (Object.keys(CANARIES) as Canary[]).filter((canary) => text.includes(CANARIES[canary]));

const sortCanaries = (matrix: Record<string, Canary[] | null>) =>
  Object.fromEntries(
    Object.entries(matrix).map(([name, canaries]) => [name, canaries?.toSorted() ?? null]),
  );

test('no read endpoint of the portal needs any input other than the contact', () => {
  const writes = app.http.endpoints.filter(
    ({ access, method }) => access === 'contact' && method !== 'GET',
  );
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/portal/tutors/:publicId/cancellations',
    'POST /api/portal/tutors/:publicId/move-requests',
    'DELETE /api/portal/tutors/:publicId/move-requests/:id',
    'POST /api/portal/tutors/:publicId/move-requests/:id/accept',
    'POST /api/portal/tutors/:publicId/accounts/:accountId/queries',
    'DELETE /api/portal/tutors/:publicId/accounts/:accountId/queries/:id',
    'PUT /api/portal/tutors/:publicId/homework',
    'PUT /api/portal/tutors/:publicId/phone',
    'POST /api/portal/tutors/:publicId/email-codes',
    'PUT /api/portal/tutors/:publicId/email',
    'PUT /api/portal/tutors/:publicId/reminders',
    'POST /api/portal/tutors/:publicId/agreement/acceptances',
    'POST /api/portal/tutors/:publicId/feed',
    'DELETE /api/portal/tutors/:publicId/feed',
  ]);
  const reads = contactEndpoints().map(({ path }) => path.replace(':publicId', ''));
  expect(reads.join(' ')).toMatch(/^[^:]+$/);
});

test('each contact sees exactly what the tutor allowed', async () => {
  expect(sortCanaries(await readMatrix())).toEqual(sortCanaries(ALLOWED));
  expect(sortCanaries(await readFirstViewMatrix())).toEqual(sortCanaries(ALLOWED));
});

test('each contact may cancel exactly what the tutor allowed', async () => {
  expect(await readCancelMatrix()).toEqual(MAY_CANCEL);
});

test('each contact may request moves, withdraw requests and accept times exactly as the tutor allowed', async () => {
  await expectMoveMatrices();
});

test('the calendar feed of each contact shows exactly what the tutor allowed', async () => {
  expect(sortCanaries(await readFeedMatrix())).toEqual(sortCanaries(FEED_ALLOWED));
});

test('access is denied with the public id of another contact or without a login', async () => {
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
    return {
      tutorId: rows[0]?.tutor_id ?? '',
      contactId,
      loginId: rows[0]?.login_id ?? '',
      at: app.clock.now(),
    };
  };
  const readAll = (principal: ContactPrincipal, view: string) =>
    app.context.db.contactRead(principal, (tx) => [
      queryFromSql(tx, sql<Record<string, unknown>>`select * from ${sql.table(view)}`),
    ]);

  test('shows each contact only what the tutor allowed, whatever the application asks for', async () => {
    await app.admin.query(
      'insert into contact_feeds select tutor_id, id, now() from contacts on conflict do nothing',
    );
    const { 'contact of another tutor': _, ...expected } = ALLOWED;
    expect(sortCanaries(await readViewMatrix(principalOf))).toEqual(sortCanaries(expected));
    const withoutMessages = Object.fromEntries(
      Object.entries(expected).map(([name, canaries]) => [
        name,
        canaries?.filter((canary) => canary !== 'words to Ruth') ?? null,
      ]),
    );
    const feedOf = async (name: string) => ({ ...(await principalOf(name)), loginId: 'feed' });
    expect(sortCanaries(await readViewMatrix(feedOf))).toEqual(sortCanaries(withoutMessages));
  });

  async function readViewMatrix(toPrincipal: (name: string) => Promise<ContactPrincipal>) {
    const found: Record<string, Canary[] | null> = {};
    for (const name of Object.keys(contactIds)) {
      const principal = await toPrincipal(name);
      const [access] = await readAll(principal, 'portal_access');
      const [rows] = await readAll(principal, 'portal_lessons');
      const text = JSON.stringify(
        rows.map(({ student_name, public_id: _, tutor_id: __, ...row }) => ({
          studentName: String(student_name).split(' ')[0],
          ...row,
        })),
      );
      const [requests] = await readAll(principal, 'portal_move_requests');
      found[name] =
        access.length === 0
          ? null
          : findCanaries(text + JSON.stringify(requests.map(({ answer }) => answer)));
    }
    return found;
  }

  const allowEverything = () =>
    [family.maya, family.leo, family.sam].map(({ id, name }) => ({
      id,
      name,
      seesLessons: true,
      seesPlace: true,
      seesNotes: true,
      seesMoney: true,
      mayCancel: true,
      mayRequestMoves: true,
    }));

  test('lets each contact cancel only what the tutor allowed, even if the application allows everything', async () => {
    const found: Record<string, string[] | null> = {};
    for (const person of Object.keys(contactIds)) {
      const contact = { ...(await principalOf(person)), students: allowEverything() };
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

  test('lets each contact request moves and accept times only as the tutor allowed, even if the application allows everything', async () => {
    const codeOf = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: unknown) => (error as AppError).code,
      );
    const asked: Record<string, string[] | null> = {};
    const accepted: Record<string, string[] | null> = {};
    for (const person of Object.keys(contactIds)) {
      const contact = { ...(await principalOf(person)), students: allowEverything() };
      const codes: Record<string, [string, string]> = {};
      for (const name of SEATS) {
        const input = { ...seatOf(name), choices: [PAST] };
        codes[name] = [
          await codeOf(askToMove(app.context, contact, input, null)),
          await codeOf(
            acceptSuggestion(app.context, contact, requestOf(name).suggested, PAST, null),
          ),
        ];
      }
      const isDenied = Object.values(codes)
        .flat()
        .every((code) => code === 'unauthenticated');
      asked[person] = isDenied
        ? null
        : SEATS.filter((name) => ['invalid', 'conflict'].includes(codes[name]?.[0] ?? ''));
      accepted[person] = isDenied ? null : SEATS.filter((name) => codes[name]?.[1] === 'invalid');
    }
    const { 'contact of another tutor': _, ...mayRequestMoves } = MAY_REQUEST_MOVES;
    const { 'contact of another tutor': __, ...maySettle } = MAY_SETTLE;
    expect(asked).toEqual(mayRequestMoves);
    expect(accepted).toEqual(maySettle);
  });

  test('shows nothing to a login that does not exist or belongs to another person or tutor', async () => {
    const ruth = await principalOf('main contact of two students');
    const tom = await principalOf('contact of another family');
    await app.admin.query('delete from contact_feeds where contact_id = $1', [ruth.contactId]);
    for (const principal of [
      { ...ruth, loginId: 'feed' },
      { ...ruth, loginId: 'made-up' },
      { ...ruth, loginId: tom.loginId },
      { ...ruth, tutorId: '00000000-0000-7000-8000-000000000000' },
    ])
      for (const view of PORTAL_VIEWS)
        expect(await readAll(principal, view), JSON.stringify(principal)).toEqual([[]]);
  });

  test('does not let the role for contacts read any table or change anything', async () => {
    const ruth = await principalOf('main contact of two students');
    const { rows: tables } = await app.admin.query<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
         and c.relname <> all($1)`,
      [PORTAL_VIEWS],
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
  test('lets each contact see exactly what the tutor allowed, even if the views show everything', async () => {
    const definitions = await makeViewsPermissive();
    try {
      expect(sortCanaries(await readMatrix())).toEqual(sortCanaries(ALLOWED));
      expect(sortCanaries(await readFirstViewMatrix())).toEqual(sortCanaries(ALLOWED));
      expect(await readCancelMatrix()).toEqual(MAY_CANCEL);
      expect(sortCanaries(await readFeedMatrix())).toEqual(sortCanaries(FEED_ALLOWED));
      await expectMoveMatrices();
    } finally {
      for (const [view, definition] of definitions)
        await owner.query(
          `create or replace view ${view} with (security_barrier) as ${definition}`,
        );
    }
    expect(sortCanaries(await readMatrix())).toEqual(sortCanaries(ALLOWED));
  });

  /** Shows every student and lesson of the tutor to every contact. Returns the definitions that were replaced. */
  async function makeViewsPermissive(): Promise<Map<string, string>> {
    const definitions = new Map<string, string>();
    for (const view of ['portal_access', 'portal_lessons', 'portal_move_requests']) {
      const { rows } = await owner.query<{ definition: string }>(
        'select pg_get_viewdef($1::regclass) as definition',
        [view],
      );
      definitions.set(view, rows[0]?.definition ?? '');
    }
    await owner.query(`create or replace view portal_access as
      select s.tutor_id, c.id as contact_id, c.name as contact_name, c.time_zone, s.id as student_id, s.name as student_name,
        true as sees_lessons, true as sees_place, true as sees_money, true as may_cancel, true as may_ask, true as sees_notes
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
    await owner.query(`create or replace view portal_move_requests as
      select r.tutor_id, r.id, r.session_id, r.student_id, r.status, r.choices, r.suggestions, r.session_date,
        r.session_start_time, r.asked_at, r.answered_at, r.contact_id, r.answer
      from move_requests r where r.tutor_id = current_setting('app.tutor_id')::uuid`);
    return definitions;
  }
});
