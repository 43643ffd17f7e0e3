import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { compareTimings } from '../../test/compare-timings.ts';
import {
  addSecondContact,
  createPortalFixture,
  requestCode,
  signInToPortal,
} from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilQueueIdle } from '../../test/wait-for-queue-and-control-retries.ts';
import { deleteExpiredRecords } from './service/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const readLessons = (browser: ReturnType<TestApp['browser']>, publicId: string) =>
  browser.call(portal.portalLessons, { params: { publicId } });

describe('a sign-in code', () => {
  test('is emailed, and works once and only with its own request id', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const browser = app.browser();
    const { requestId, code } = await requestCode(app, browser, ruthEmail);
    const other = await browser.call(portal.requestPortalCode, { body: { address: ruthEmail } });
    const wrongRequest = { requestId: other.body.requestId, code };
    expect((await browser.call(portal.signInToPortal, { body: wrongRequest })).status).toBe(400);
    const body = { requestId, code };
    const signedIn = await browser.call(portal.signInToPortal, { body });
    expect(signedIn.status).toBe(201);
    expect(signedIn.body).toMatchObject({ address: ruthEmail, isSharedDevice: false });
    expect(signedIn.body.tutors).toHaveLength(1);
    expect(signedIn.body.tutors[0]?.studentNames).toEqual(['Maya', 'Leo']);
    expect((await app.browser().call(portal.signInToPortal, { body })).status).toBe(400);
  });

  test('can be used only once, even by concurrent requests', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const body = await requestCode(app, app.browser(), ruthEmail);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => app.browser().call(portal.signInToPortal, { body })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('expires after ten minutes', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const body = await requestCode(app, app.browser(), ruthEmail);
    app.clock.advance({ minutes: 10 });
    expect((await app.browser().call(portal.signInToPortal, { body })).status).toBe(400);
  });

  test('does not work after five wrong codes have been entered', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const { requestId, code } = await requestCode(app, app.browser(), ruthEmail);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let attempt = 0; attempt < 5; attempt += 1)
      await app.browser().call(portal.signInToPortal, { body: { requestId, code: wrong } });
    const right = await app.browser().call(portal.signInToPortal, { body: { requestId, code } });
    expect(right.status).toBe(400);
    expect(right.error.fields).toEqual({
      code: "That code isn't right or no longer works. Check it, or send a new code.",
    });
  });

  test('is not sent while the portal is closed, or to a contact who may see nothing', async () => {
    const setup = await createPortalFixture(app);
    const paulEmail = `paul-${setup.ruthEmail}`;
    await addSecondContact(setup.browser, setup.maya.id, { email: paulEmail, access: {} });
    await setup.browser.call(portalSettings.closePortal);
    for (const address of [setup.ruthEmail, paulEmail, 'stranger@families.example'])
      expect(
        (await app.browser().call(portal.requestPortalCode, { body: { address } })).status,
      ).toBe(202);
    await waitUntilQueueIdle(app.admin);
    const codes = app.mailbox.emails().filter(({ subject }) => subject.includes('is your code'));
    const recipients = codes.flatMap(({ to }) => to);
    expect(recipients).not.toContain(setup.ruthEmail);
    expect(recipients).not.toContain(paulEmail);
    expect(recipients).not.toContain('stranger@families.example');
  });

  test('known and unknown addresses get the same reply after the same time', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const measure = async (email: string): Promise<number> => {
      const start = performance.now();
      const { status, body } = await app
        .browser()
        .call(portal.requestPortalCode, { body: { address: email } });
      const time = performance.now() - start;
      expect([status, Object.keys(body), body.requestId.length]).toEqual([202, ['requestId'], 32]);
      return time;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let index = 0; index < 15; index += 1) {
      known.push(await measure(ruthEmail));
      unknown.push(await measure(`unknown${index}@families.example`));
    }
    const { zScore, medians } = compareTimings(known, unknown);
    // Both replies take at least the same minimum time, so the remaining difference is noise.
    expect(Math.abs(zScore), `medians ${medians.join(' and ')} ms`).toBeLessThan(4);
  });
});

describe('a login', () => {
  test('is reported to the person by email', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    await signInToPortal(app, ruthEmail);
    const subjects = () =>
      app.mailbox.emails().flatMap(({ to, subject }) => (to.includes(ruthEmail) ? subject : []));
    await app.mailbox.waitFor(() => subjects().length === 2);
    expect(subjects()).toContain('New sign-in to the family portal');
  });

  test('on a shared device ends with the browser', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const body = { ...(await requestCode(app, app.browser(), ruthEmail)), isSharedDevice: true };
    const shared = await app.browser().call(portal.signInToPortal, { body });
    expect(shared.headers.get('set-cookie')).not.toContain('Expires');
    const { browser } = await signInToPortal(app, ruthEmail, true);
    app.clock.advance({ hours: 13 });
    expect((await browser.call(portal.portalLogin)).status).toBe(401);
  });

  test('ends after 30 days without use', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const { browser } = await signInToPortal(app, ruthEmail);
    app.clock.advance({ days: 29 });
    expect((await browser.call(portal.portalLogin)).status).toBe(200);
    app.clock.advance({ days: 29 });
    expect((await browser.call(portal.portalLogin)).status).toBe(200);
    app.clock.advance({ days: 31 });
    expect((await browser.call(portal.portalLogin)).status).toBe(401);
  });

  test('is deleted, with all visits, when the person is erased', async () => {
    const setup = await createPortalFixture(app);
    const paulEmail = `paul-${setup.ruthEmail}`;
    const access = { seesLessons: true };
    const paul = { email: paulEmail, access };
    const id = await addSecondContact(setup.browser, setup.maya.id, paul);
    await signInToPortal(app, paulEmail);
    await signInToPortal(app, setup.tomEmail);
    const readLogins = async () =>
      (
        await app.admin.query<{ address: string }>(
          'select address from portal_logins where address = any($1)',
          [[paulEmail, setup.tomEmail]],
        )
      ).rows.map(({ address }) => address);
    expect(await readLogins()).toHaveLength(2);
    const body = { kind: 'carer' as const, id, name: 'Paul Hale' };
    expect((await setup.browser.call(privacy.erasePerson, { body })).status).toBe(200);
    await deleteExpiredRecords(app.context);
    expect(await readLogins()).toEqual([setup.tomEmail]);
    const visits = await app.admin.query(
      `select from contact_logins l join contacts c using (tutor_id)
       where c.id = l.contact_id and c.erased_at is not null`,
    );
    expect(visits.rowCount).toBe(0);
  });

  test('is listed with the other browsers of the person, who can sign them out', async () => {
    const { ruthEmail } = await createPortalFixture(app);
    const { browser } = await signInToPortal(app, ruthEmail);
    const { browser: phone } = await signInToPortal(app, ruthEmail);
    const { body: browsers } = await browser.call(portal.portalBrowsers);
    expect(browsers.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    const id = browsers[1]?.id as string;
    expect((await browser.call(portal.signOutPortalBrowser, { params: { id } })).status).toBe(200);
    expect((await phone.call(portal.portalLogin)).status).toBe(401);
    expect((await browser.call(portal.signOutOfPortal)).status).toBe(200);
    expect((await browser.call(portal.portalLogin)).status).toBe(401);
  });

  test("cannot sign out another person's browser", async () => {
    const { ruthEmail, tomEmail } = await createPortalFixture(app);
    const ruth = await signInToPortal(app, ruthEmail);
    const tom = await signInToPortal(app, tomEmail);
    const { body: browsers } = await ruth.browser.call(portal.portalBrowsers);
    const id = browsers[0]?.id as string;
    const reply = await tom.browser.call(portal.signOutPortalBrowser, { params: { id } });
    expect(reply.status).toBe(404);
    expect((await ruth.browser.call(portal.portalLogin)).status).toBe(200);
  });

  test("is not accepted as a tutor's login, and vice versa", async () => {
    const setup = await createPortalFixture(app);
    const { browser } = await signInToPortal(app, setup.ruthEmail);
    expect((await browser.call(students.listStudents)).status).toBe(401);
    expect((await setup.browser.call(portal.portalLogin)).status).toBe(401);
  });
});

describe('ending the access of a contact', () => {
  test('the next call is rejected after a sign-out, a suspension, a removal, a new address or the closing of the portal', async () => {
    const setup = await createPortalFixture(app);
    const paulEmail = `paul-${setup.ruthEmail}`;
    const contactId = await addSecondContact(setup.browser, setup.maya.id, {
      email: paulEmail,
      access: { seesLessons: true },
    });
    const params = { id: contactId };
    const endings: Record<string, { end: () => Promise<unknown>; undo: () => Promise<unknown> }> = {
      'sign out': {
        end: () => setup.browser.call(portalSettings.signOutContact, { params }),
        undo: async () => undefined,
      },
      suspend: {
        end: () =>
          setup.browser.call(portalSettings.suspendContact, {
            params,
            body: { isSuspended: true },
          }),
        undo: () =>
          setup.browser.call(portalSettings.suspendContact, {
            params,
            body: { isSuspended: false },
          }),
      },
      close: {
        end: () => setup.browser.call(portalSettings.closePortal),
        undo: () => setup.browser.call(portalSettings.openPortal),
      },
      'change the address': {
        end: () =>
          setup.browser.call(studentContacts.updateContact, {
            params: { id: setup.maya.id, contactId },
            body: {
              name: 'Paul Hale',
              email: `new-${paulEmail}`,
              access: { ...ALL_ACCESS, seesMoney: false },
            },
          }),
        undo: () =>
          setup.browser.call(studentContacts.updateContact, {
            params: { id: setup.maya.id, contactId },
            body: { name: 'Paul Hale', email: paulEmail, access: ALL_ACCESS },
          }),
      },
      remove: {
        end: () =>
          setup.browser.call(studentContacts.removeContact, {
            params: { id: setup.maya.id, contactId },
          }),
        undo: async () => undefined,
      },
    };
    const statuses: Record<string, number[]> = {};
    for (const [name, { end, undo }] of Object.entries(endings)) {
      const { browser, login } = await signInToPortal(app, paulEmail);
      const key = login.tutors[0]?.publicId as string;
      const before = (await readLessons(browser, key)).status;
      await end();
      const after = (await readLessons(browser, key)).status;
      await undo();
      // A revoked login stays revoked.
      statuses[name] = [before, after];
    }
    expect(statuses).toEqual({
      'sign out': [200, 401],
      suspend: [200, 401],
      close: [200, 401],
      'change the address': [200, 401],
      remove: [200, 401],
    });
  });

  test('a browser that one tutor signed out still sees the other tutor', async () => {
    const first = await createPortalFixture(app);
    const second = await createPortalFixture(app, { email: first.ruthEmail });
    const { browser, login } = await signInToPortal(app, first.ruthEmail);
    expect(login.tutors).toHaveLength(2);
    await first.browser.call(portalSettings.signOutContact, {
      params: { id: first.contacts.ruth },
    });
    const { body } = await browser.call(portal.portalLogin);
    expect(body.tutors).toHaveLength(1);
    const key = body.tutors[0]?.publicId as string;
    expect((await readLessons(browser, key)).status).toBe(200);
    const visits = await second.browser.call(portalSettings.contactBrowsers, {
      params: { id: second.contacts.ruth },
    });
    expect(visits.body).toHaveLength(1);
  });

  test("a person's tutors are ordered by name", async () => {
    const first = await createPortalFixture(app);
    const second = await createPortalFixture(app, { email: first.ruthEmail });
    const { browser } = await signInToPortal(app, first.ruthEmail);
    for (const names of [
      ['Ann', 'Tom'],
      ['Tom', 'Ann'],
    ]) {
      for (const [index, tutor] of [first, second].entries()) {
        const { email, timeZone } = (await tutor.browser.call(accounts.me)).body;
        const body = { name: names[index] ?? '', email, timeZone };
        await tutor.browser.call(accounts.updateMe, { body });
      }
      const { tutors } = (await browser.call(portal.portalLogin)).body;
      expect(tutors.map(({ tutorName }) => tutorName)).toEqual(['Ann', 'Tom']);
    }
  });
});

const ALL_ACCESS = {
  seesLessons: true,
  seesPlace: true,
  seesNotes: true,
  seesMoney: true,
  mayCancel: true,
  mayRequestMoves: true,
};
