import { portalSettings } from '@lessonbook/contract/portal-management';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { addSecondContact, createPortalFixture } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const list = async (
  browser: Browser,
  query: { limit?: number; offset?: number; search?: string } = {},
) => (await browser.call(portalSettings.listPortalContacts, { query })).body;

const names = async (...args: Parameters<typeof list>) =>
  (await list(...args)).map(({ name }) => name);

test('F03 contacts are listed in pages by name, with what each may see', async () => {
  const { browser, maya, sam, contacts } = await createPortalFixture(app);
  const email = 'paul-contact-list@families.example';
  await addSecondContact(browser, maya.id, { email, access: { seesLessons: true } });
  await createPortalFixture(app);
  expect(await names(browser)).toEqual(['Maya Okafor', 'Paul Hale', 'Ruth Hale', 'Tom Okafor']);
  expect(await names(browser, { limit: 2, offset: 1 })).toEqual(['Paul Hale', 'Ruth Hale']);
  const [tom] = await list(browser, { limit: 2, offset: 3 });
  expect(tom).toEqual({
    id: contacts.tom,
    name: 'Tom Okafor',
    hasAddress: true,
    isSuspended: false,
    sharesAddress: false,
    lastSeenAt: null,
    students: [
      {
        id: sam.id,
        name: 'Sam',
        seesLessons: true,
        seesPlace: true,
        seesNotes: true,
        seesMoney: true,
      },
    ],
  });
});

test('contacts are found by their name or a student’s name, regardless of case and accents', async () => {
  const { browser } = await createPortalFixture(app);
  await createStudent(browser, { name: 'Zoë Núñez', carerName: "Siobhán O'Brien" });
  expect(await names(browser, { search: 'OBRIEN siob' })).toEqual(["Siobhán O'Brien"]);
  expect(await names(browser, { search: 'zoe' })).toEqual(["Siobhán O'Brien"]);
  expect(await names(browser, { search: 'hale' })).toEqual(['Ruth Hale']);
  expect(await names(browser, { search: 'hale okafor' })).toEqual([]);
  expect(await names(browser, { search: '.*' })).toEqual([]);
});

test('the settings count who can sign in, who has no address and who shares a login', async () => {
  const { browser, maya, contacts, ruthEmail } = await createPortalFixture(app);
  const read = async () => (await browser.call(portalSettings.portalSettings)).body.contactCounts;
  expect(await read()).toEqual({ total: 3, canSignIn: 2, withoutAddress: 1, sharingAddress: 0 });
  const access = { seesLessons: true };
  await addSecondContact(browser, maya.id, { email: ruthEmail.toUpperCase(), access });
  await addSecondContact(browser, maya.id, { email: 'sees-nothing@families.example', access: {} });
  await createStudent(browser, { name: 'Ada Moss', carerName: 'Jo Moss' });
  expect(await read()).toEqual({ total: 6, canSignIn: 3, withoutAddress: 2, sharingAddress: 2 });
  const suspended = await browser.call(portalSettings.suspendContact, {
    params: { id: contacts.ruth },
    body: { isSuspended: true },
  });
  expect(suspended.body.contactCounts).toEqual({
    total: 6,
    canSignIn: 2,
    withoutAddress: 2,
    sharingAddress: 1,
  });
});
