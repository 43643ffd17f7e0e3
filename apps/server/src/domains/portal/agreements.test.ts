import { agreements } from '@lessonbook/contract/agreements';
import { portal } from '@lessonbook/contract/portal';
import { portalAgreements } from '@lessonbook/contract/portal-agreement';
import { portalSettings } from '@lessonbook/contract/portal-management';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { markStudentsAsLeft } from '../../test/mark-students-as-left.ts';
import { createPortalFixture, signInToPortal } from '../../test/portal-fixture.ts';
import { createPortalPeople, type PortalPeople } from '../../test/portal-people.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { portalAgreements as agreementsView } from './queries/agreements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const TODAY = '2026-11-16';

/** Ruth, who pays, signed in to the portal of a tutor whose email address is confirmed. */
async function signInRuth() {
  const tutor = await createPortalFixture(app);
  await app.admin.query('update login_directory set email_verified_at = now()');
  const { browser, login } = await signInToPortal(app, tutor.ruthEmail);
  return { tutor, browser, params: { publicId: login.tutors[0]?.publicId as string } };
}
type Ruth = Pick<Awaited<ReturnType<typeof signInRuth>>, 'browser' | 'params'>;

const publish = (browser: Browser, text: string, startsOn = TODAY) =>
  browser.call(agreements.publishAgreement, { body: { text, startsOn } });
const accept = ({ browser, params }: Ruth, version: number, name = 'Ruth Hale') =>
  browser.call(portalAgreements.acceptAgreement, { params, body: { version, name } });
const read = async ({ browser, params }: Ruth) =>
  (await browser.call(portalAgreements.portalAgreement, { params })).body;
const hasAgreementToAccept = async ({ browser }: Ruth) =>
  (await browser.call(portal.portalLogin)).body.tutors[0]?.hasAgreementToAccept;

describe('publishing', () => {
  test('adds a version that never changes', async () => {
    const { browser } = await createPortalFixture(app);
    expect((await browser.call(agreements.agreement)).body.versions).toEqual([]);
    expect((await publish(browser, 'Pay monthly.')).status).toBe(201);
    const { body } = await publish(browser, 'Pay weekly.', '2027-01-05');
    expect(body.versions).toMatchObject([
      { version: 2, text: 'Pay weekly.', startsOn: '2027-01-05', state: 'coming', askedAt: null },
      { version: 1, text: 'Pay monthly.', startsOn: TODAY, state: 'current' },
    ]);
    await expect(
      app.admin.query(`update agreements set text = 'x' where version = 1`),
    ).rejects.toThrow(/is published/);
  });

  test('requires a new text and a start date that is neither in the past nor before that of the last version', async () => {
    const { browser } = await createPortalFixture(app);
    expect((await publish(browser, '  ')).status).toBe(400);
    expect((await publish(browser, 'Pay monthly.', '2026-11-15')).error.fields).toHaveProperty(
      'startsOn',
    );
    await publish(browser, 'Pay monthly.', '2027-01-05');
    expect((await publish(browser, 'Pay weekly.', '2026-12-01')).error.fields).toHaveProperty(
      'startsOn',
    );
    expect((await publish(browser, 'Pay monthly.', '2027-02-01')).error.fields).toHaveProperty(
      'text',
    );
  });

  test('happens once per idempotency key, however often the request is sent', async () => {
    const { browser } = await createPortalFixture(app);
    const send = () =>
      browser.send(
        'POST',
        '/api/settings/agreement/versions',
        { text: 'Pay monthly.', startsOn: TODAY },
        { 'idempotency-key': 'agreement-once' },
      );
    const replies = await Promise.all([send(), send(), send()]);
    expect([...replies, await send()].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await browser.call(agreements.agreement)).body.versions).toHaveLength(1);
  });

  test('shows each tutor only their own versions and people', async () => {
    const [first, second] = [await createPortalFixture(app), await createPortalFixture(app)];
    await publish(first.browser, 'Of the first tutor');
    const { body } = await second.browser.call(agreements.agreement);
    expect([body.versions, JSON.stringify(body).includes(first.ruthEmail)]).toEqual([[], false]);
    const asked = await second.browser.call(agreements.askToAgree, { params: { version: 1 } });
    expect(asked.status).toBe(404);
  });
});

describe('accepting', () => {
  test('stores the version, the typed name, the time and the masked address, once', async () => {
    const ruth = await signInRuth();
    expect([await hasAgreementToAccept(ruth), (await read(ruth)).versions]).toEqual([false, []]);
    expect((await accept(ruth, 1)).status).toBe(404);
    await publish(ruth.tutor.browser, 'Pay monthly.');
    expect(await hasAgreementToAccept(ruth)).toBe(true);
    expect((await accept(ruth, 1, '  ')).status).toBe(400);
    const replies = await Promise.all([accept(ruth, 1), accept(ruth, 1), accept(ruth, 1)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    await accept(ruth, 1, 'Another name');
    expect((await read(ruth)).versions).toEqual([
      {
        version: 1,
        text: 'Pay monthly.',
        startsOn: TODAY,
        isComing: false,
        accepted: { on: TODAY, name: 'Ruth Hale' },
      },
    ]);
    expect(await hasAgreementToAccept(ruth)).toBe(false);
    const { body } = await ruth.tutor.browser.call(agreements.agreement);
    expect(body.people.filter(({ hasEmail }) => hasEmail)).toMatchObject([
      {
        name: 'Ruth Hale',
        acceptances: [
          { version: 1, name: 'Ruth Hale', network: '127.0.0.x', at: expect.any(String) },
        ],
      },
      { name: 'Tom Okafor', acceptances: [] },
    ]);
  });

  test('a version that has been replaced is rejected, and the new one is shown', async () => {
    const ruth = await signInRuth();
    await publish(ruth.tutor.browser, 'Pay monthly.');
    await publish(ruth.tutor.browser, 'Pay weekly.');
    const { status, error } = await accept(ruth, 1);
    expect([status, error.message]).toEqual([
      409,
      'The agreement has changed. Please read the new version.',
    ]);
    expect((await read(ruth)).versions.map(({ text }) => text)).toEqual(['Pay weekly.']);
  });

  test('an upcoming version can be accepted before it starts, and replaces the current one once it has started', async () => {
    const ruth = await signInRuth();
    await publish(ruth.tutor.browser, 'Pay monthly.');
    await accept(ruth, 1);
    await publish(ruth.tutor.browser, 'Pay weekly.', '2026-11-17');
    expect(await hasAgreementToAccept(ruth)).toBe(true);
    expect((await read(ruth)).versions).toMatchObject([
      { version: 1, isComing: false },
      { version: 2, isComing: true, accepted: null },
    ]);
    expect((await accept(ruth, 2)).status).toBe(200);
    app.clock.advance({ hours: 24 });
    expect((await read(ruth)).versions).toMatchObject([
      { version: 2, isComing: false, accepted: { name: 'Ruth Hale' } },
    ]);
    expect(await hasAgreementToAccept(ruth)).toBe(false);
  });
});

describe('asking everyone', () => {
  const ask = (browser: Browser, version = 1) =>
    browser.call(agreements.askToAgree, { params: { version } });
  const emailsTo = (email: string) =>
    app.mailbox
      .emails()
      .filter(({ to, subject }) => to.includes(email) && /agreement/.test(subject));

  test('emails each person who has not accepted the agreement, once for each version', async () => {
    const ruth = await signInRuth();
    const { browser, ruthEmail, tomEmail } = ruth.tutor;
    await publish(browser, 'Pay monthly.');
    await accept(ruth, 1);
    expect((await ask(browser)).body).toMatchObject({ sent: 1, alreadyAsked: 0 });
    const mail = await app.mailbox.waitFor(() => emailsTo(tomEmail).length > 0);
    expect(mail).toBeTruthy();
    expect(emailsTo(tomEmail)[0]?.text).not.toMatch(/Ruth|Maya|Leo/);
    expect((await ask(browser)).body).toMatchObject({ sent: 0, alreadyAsked: 1 });
    await publish(browser, 'Pay weekly.', '2026-12-01');
    expect((await ask(browser, 2)).body).toMatchObject({ sent: 2 });
    await app.mailbox.waitFor(() => emailsTo(ruthEmail).length > 0);
    expect(emailsTo(ruthEmail)[0]?.text).toContain('It applies from');
    expect((await browser.call(agreements.agreement)).body.versions[0]?.askedAt).toBeTruthy();
  });

  test('tells only people who accepted an earlier version that the agreement has changed', async () => {
    const ruth = await signInRuth();
    const { browser, ruthEmail, tomEmail } = ruth.tutor;
    await publish(browser, 'Pay monthly.');
    await accept(ruth, 1);
    await publish(browser, 'Pay weekly.');
    await ask(browser, 2);
    await app.mailbox.waitFor(
      () => emailsTo(ruthEmail).length > 0 && emailsTo(tomEmail).length > 0,
    );
    const [toRuth, toTom] = [emailsTo(ruthEmail)[0], emailsTo(tomEmail)[0]];
    expect(toRuth?.subject).toBe('My agreement has changed: please read it');
    expect(toRuth?.text).toContain("I've changed the agreement for our lessons.");
    expect(toTom?.subject).toBe('Please read my agreement');
    expect(toTom?.text).toContain("I've put the terms of our lessons in an agreement.");
  });

  test('leaves out people whose access to the portal has ended', async () => {
    const { browser, sam, tomEmail } = (await signInRuth()).tutor;
    await publish(browser, 'Pay monthly.');
    await markStudentsAsLeft(browser, { studentIds: [sam.id], lastDate: '2026-11-17' });
    const namesWithAccess = async () =>
      (await browser.call(agreements.agreement)).body.people
        .filter(({ hasAccess, hasEmail }) => hasAccess && hasEmail)
        .map(({ name }) => name);
    app.clock.set('2026-11-17T23:59:00Z');
    expect(await namesWithAccess()).toEqual(['Ruth Hale', 'Tom Okafor']);
    app.clock.advance({ minutes: 1 });
    expect(await namesWithAccess()).toEqual(['Ruth Hale']);
    expect((await ask(browser)).body).toMatchObject({ sent: 1 });
    expect(emailsTo(tomEmail)).toEqual([]);
  });

  test('reports why people were not emailed, and is recorded only if at least one person was emailed', async () => {
    const { browser, contacts, ruthEmail } = (await signInRuth()).tutor;
    await publish(browser, 'Pay monthly.');
    await app.admin.query(
      `insert into suppressions (tutor_id, channel, address, reason, created_at)
       select tutor_id, 'email', email, 'bounced', now() from contacts where email = $1`,
      [ruthEmail],
    );
    const suspend = (isSuspended: boolean) =>
      browser.call(portalSettings.suspendContact, {
        params: { id: contacts.tom },
        body: { isSuspended },
      });
    const askedAt = async () =>
      (await browser.call(agreements.agreement)).body.versions[0]?.askedAt;
    await suspend(true);
    // Maya of the fixture pays for herself and has no email address.
    const others = { withoutEmail: 1, undeliverable: 1 };
    expect((await ask(browser)).body).toEqual({
      ...others,
      sent: 0,
      alreadyAsked: 0,
      withoutAccess: 1,
    });
    expect(await askedAt()).toBeNull();
    await suspend(false);
    expect((await ask(browser)).body).toMatchObject({ ...others, sent: 1, withoutAccess: 0 });
    expect((await ask(browser)).body).toMatchObject({ ...others, sent: 0, alreadyAsked: 1 });
    expect(await askedAt()).toBeTruthy();
  });

  test('requires an open portal, a confirmed email address and a version that still applies', async () => {
    const ruth = await signInRuth();
    const { browser } = ruth.tutor;
    await publish(browser, 'Pay monthly.');
    await browser.call(portalSettings.closePortal);
    expect((await ask(browser)).error.message).toBe(
      'Please open the family portal first, then ask again.',
    );
    await browser.call(portalSettings.openPortal);
    await app.admin.query('update login_directory set email_verified_at = null');
    expect((await ask(browser)).status).toBe(409);
    await app.admin.query('update login_directory set email_verified_at = now()');
    await publish(browser, 'Pay weekly.');
    expect((await ask(browser)).error.message).toBe('A later version has replaced this one.');
    expect((await ask(browser, 7)).status).toBe(404);
  });
});

describe('every kind of contact', () => {
  const TEXT = 'The words of the agreement';
  let owner: pg.Client;
  let fixture: PortalPeople;
  beforeAll(async () => {
    owner = new pg.Client(app.urls.ownerUrl);
    await owner.connect();
    fixture = await createPortalPeople(app);
    await fixture.add('contact with money of both students', { seesMoney: true });
    await publish(fixture.family.browser, TEXT);
  }, 120_000);
  afterAll(() => owner.end());

  /** Whether the person pays and therefore sees the agreement; null if they may not use the portal. */
  const expectedFor = (name: string) => {
    if (/^(contact without any access|suspended|removed|contact of another tutor)/.test(name))
      return null;
    return /^(main contact|contact of another family)/.test(name);
  };
  const expectedMatrix = () =>
    Object.fromEntries([...fixture.people.keys()].map((name) => [name, expectedFor(name)]));

  /** Whether each person sees the text and may accept it; accepts a version that does not exist, so nothing changes. */
  async function readMatrix() {
    const matrix: Record<string, boolean | null> = {};
    for (const [name, person] of fixture.people) {
      const caller = { browser: person.browser, params: { publicId: person.publicId } };
      const seen = await caller.browser.call(portalAgreements.portalAgreement, {
        params: caller.params,
      });
      const { status } = await accept(caller, 99);
      const sees = seen.status === 200 ? JSON.stringify(seen.body).includes(TEXT) : null;
      expect(status, name).toBe(sees === null ? 401 : sees ? 409 : 404);
      matrix[name] = sees;
    }
    return matrix;
  }

  test('sees and accepts the agreement only if they pay', async () => {
    expect(fixture.people.size).toBe(13);
    expect(await readMatrix()).toEqual(expectedMatrix());
  });

  test('the database alone shows the agreement only to those who pay', async () => {
    for (const [name, contactId] of Object.entries(fixture.contactIds)) {
      const { rows } = await app.admin.query<{ tutor_id: string; login_id: string }>(
        'select tutor_id, login_id from contact_logins where contact_id = $1 and tutor_id = (select tutor_id from agreements where text = $2)',
        [contactId, TEXT],
      );
      const principal = {
        tutorId: rows[0]?.tutor_id ?? '',
        contactId,
        loginId: rows[0]?.login_id ?? '',
        at: app.clock.now(),
      };
      const [visible] = await app.context.db.contactRead(principal, (tx) => [agreementsView(tx)]);
      expect(visible.length > 0, name).toBe(expectedFor(name) === true);
      const feed = { ...principal, loginId: 'feed' };
      expect(await app.context.db.contactRead(feed, (tx) => [agreementsView(tx)]), name).toEqual([
        [],
      ]);
    }
  });

  test('the application alone shows the agreement only to those who pay', async () => {
    const { rows } = await owner.query<{ definition: string }>(
      "select pg_get_viewdef('portal_agreements'::regclass) as definition",
    );
    await owner.query(`create or replace view portal_agreements as
      select a.tutor_id, current_setting('app.contact_id')::integer as contact_id, a.version, a.text, a.starts_on,
        null::timestamptz as accepted_at, null::text as accepted_name
      from agreements a where a.tutor_id = current_setting('app.tutor_id')::uuid`);
    try {
      expect(await readMatrix()).toEqual(expectedMatrix());
    } finally {
      await owner.query(
        `create or replace view portal_agreements with (security_barrier) as ${rows[0]?.definition}`,
      );
    }
    expect(await readMatrix()).toEqual(expectedMatrix());
  });
});
