import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudent, createSubject } from './test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from './test/create-tutor.ts';
import { createCompletedLesson, readFamily } from './test/payment-fixture.ts';
import { createPortalFixture, signInToPortal } from './test/portal-fixture.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

/* The browser tests check the same pages of the built app with an HTML parser. */

const dist = mkdtempSync(join(tmpdir(), 'lessonbook-web-'));
const readEntry = (name: string) =>
  readFileSync(new URL(`../../web/${name}`, import.meta.url), 'utf8');
for (const name of ['index.html', 'link.html', 'family.html'])
  writeFileSync(join(dist, name), readEntry(name));
writeFileSync(
  join(dist, 'family-sign-in.html'),
  readEntry('family.html').replace('<div id="root">', '<div id="root"><h1>Sign in</h1>'),
);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ WEB_DIST: dist });
});
afterAll(async () => {
  await app.close();
  rmSync(dist, { recursive: true });
});

async function readPage(path: string) {
  const html = await (await fetch(app.url + path)).text();
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1];
  const ogTitle = /<meta property="og:title" content="([^"]*)"/.exec(html)?.[1];
  const heading = /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1];
  return { html, titles: [title, ogTitle, heading] };
}

const titles = (title: string) => [`${title} | Lessonbook`, title, title];

test('F82 public pages have their own title and description, without a child or an amount', async () => {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  await browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: 'Hill & "Dale" <Tuition> $&',
      paymentInstructions: 'In cash at the lesson',
      dueDays: 7,
      invoicePrefix: '',
      nextInvoiceNumber: 1,
    },
  });
  const escapedName = 'Hill &amp; &quot;Dale&quot; &lt;Tuition&gt; $&amp;';
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: 'ruth@families.example',
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  await createCompletedLesson(
    { browser, studentId: student.id, subjectId: subject.id },
    student.id,
    '2026-11-03',
  );
  const familyId = student.familyId as number;
  const { payToken } = await readFamily(browser, familyId);
  const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
  const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
  const id = draft?.id ?? 0;
  const [issued] = (await browser.call(invoices.issueInvoices, { body: { ids: [id] } })).body;
  await browser.call(messages.sendReminder, { body: { familyId, channel: 'email' } });
  const mail = await app.mailbox.waitFor(({ to }) => to.includes('ruth@families.example'));
  const unsubscribePath = /\/unsubscribe\/[\w-]+/.exec(mail.text)?.[0] ?? '';

  const pages = {
    [`/pay/${payToken}`]: `Payment to ${escapedName}`,
    [`/pay/${payToken}?card=paid`]: `Payment to ${escapedName}`,
    [`/pay/${issued?.token}`]: `Invoice from ${escapedName}`,
    [`/invoices/${issued?.token}`]: `Invoice from ${escapedName}`,
    [unsubscribePath]: `Reminders from ${input.name}`,
    '/pay/b_unknown': 'Payment',
    '/pay': 'Payment',
    '/invoices/i_unknown': 'Invoice',
    '/invoices/unknown': 'Invoice',
    '/unsubscribe/u_unknown': 'Email reminders',
  };
  for (const [path, title] of Object.entries(pages)) {
    const page = await readPage(path);
    expect([path, ...page.titles]).toEqual([path, ...titles(title)]);
    expect(page.html).not.toMatch(/Maya|Hale|35|free trial/);
  }
  await browser.call(invoices.voidInvoice, { params: { id }, body: {} });
  expect((await readPage(`/invoices/${issued?.token}`)).titles).toEqual(titles('Invoice'));
  for (const path of ['/', '/dashboard', '/invoices', '/invoices/1', '/invoices/everyone'])
    expect((await readPage(path)).html).toContain('for independent tutors</title>');
});

test('the family portal has its own HTML file for every path below it, and is not indexed', async () => {
  for (const path of ['/family', '/family/', '/family/details', '/family/c_1234567890']) {
    const response = await fetch(app.url + path);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const html = await response.text();
    expect(html).toContain('<title>Family portal | Lessonbook</title>');
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html).toContain('/src/family-portal-entry.tsx');
    expect(html).toContain('href="/family.webmanifest"');
    expect(html).not.toContain('c_1234567890');
  }
  for (const path of ['/families', '/families/1', '/familya'])
    expect((await readPage(path)).html).toContain('/src/main.tsx');
});

/** The JSON that is sent with the HTML. */
const readData = (html: string): unknown =>
  JSON.parse(
    /<script type="application\/json" id="first-view">(.*?)<\/script>/.exec(html)?.[1] ?? '',
  );

const openPage = async (browser: ReturnType<TestApp['browser']>, path: string) => {
  const { body, headers } = await browser.send('GET', path);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('vary')).toContain('Cookie');
  return { html: body as string, data: readData(body as string), headers };
};

test('a visitor gets the sign-in page with the data for its first view', async () => {
  const { html, data } = await openPage(app.browser(), '/family');
  expect(data).toEqual({ options: { hasWhatsApp: false }, login: null, lessons: null });
  expect(html.match(/<h1[^>]*>[^<]*<\/h1>/g)).toEqual(['<h1>Sign in</h1>']);
  const browserWithInvalidCookie = app.browser();
  browserWithInvalidCookie.cookies.set('lessonbook-family', 'made-up');
  expect((await openPage(browserWithInvalidCookie, '/family')).data).toEqual(data);
});

test('a signed-in family gets its page with the same data as the API returns', async () => {
  const setup = await createPortalFixture(app);
  await setup.browser.call(students.updateStudent, {
    params: { id: setup.maya.id },
    body: { name: '</script><h1>Maya Hale', carerId: setup.contacts.ruth },
  });
  const { browser } = await signInToPortal(app, setup.ruthEmail);
  const { body: login } = await browser.call(portal.portalLogin);
  expect(login.tutors[0]?.studentNames).toContain('</script><h1>Maya');
  const publicId = login.tutors[0]?.publicId as string;
  const { body: page } = await browser.call(portal.portalLessons, { params: { publicId } });
  expect(page.lessons.length).toBeGreaterThan(1);
  const expectedData = { options: { hasWhatsApp: false }, login, lessons: { publicId, page } };
  for (const path of ['/family', '/family/', `/family/${publicId}`, '/family/c_of_other_tutor']) {
    const { html, data } = await openPage(browser, path);
    expect(data).toEqual(expectedData);
    expect(html.match(/<h1[^>]*>[^<]*<\/h1>/g)).toHaveLength(1);
  }
  expect((await openPage(browser, '/family/details')).data).toEqual({
    ...expectedData,
    lessons: null,
  });
});

test('a person with several tutors has to choose one first', async () => {
  const first = await createPortalFixture(app);
  await createPortalFixture(app, { email: first.ruthEmail });
  const { browser, login } = await signInToPortal(app, first.ruthEmail);
  expect((await openPage(browser, '/family')).data).toMatchObject({ login, lessons: null });
  const publicId = login.tutors[1]?.publicId as string;
  expect((await openPage(browser, `/family/${publicId}`)).data).toMatchObject({
    lessons: { publicId },
  });
});

test('opening the page extends the login', async () => {
  const { ruthEmail } = await createPortalFixture(app);
  const { browser } = await signInToPortal(app, ruthEmail);
  app.clock.advance({ days: 29 });
  const { headers } = await openPage(browser, '/family');
  expect(headers.get('set-cookie')).toMatch(/^lessonbook-family=[^;]+;.*Expires=Thu, 14 Jan 2027/);
  app.clock.advance({ days: 29 });
  expect((await browser.call(portal.portalLogin)).status).toBe(200);
  await app.restartClock();
});

test('after the tutor has signed a contact out, the contact gets the sign-in page', async () => {
  const setup = await createPortalFixture(app);
  const { browser } = await signInToPortal(app, setup.ruthEmail);
  await setup.browser.call(portalSettings.signOutContact, { params: { id: setup.contacts.ruth } });
  expect((await openPage(browser, '/family')).data).toMatchObject({ login: null, lessons: null });
});
