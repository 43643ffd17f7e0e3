import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudent, createSubject } from './test/create-student-and-subject.ts';
import { createCompletedLesson, readFamily } from './test/payment-fixture.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';
import { createVerifiedTutor } from './test/tutor.ts';

/* The browser tests check the same pages of the built app with an HTML parser. */

const dist = mkdtempSync(join(tmpdir(), 'lessonbook-web-'));
for (const name of ['index.html', 'link.html', 'family.html']) {
  writeFileSync(join(dist, name), readFileSync(new URL(`../../web/${name}`, import.meta.url)));
}

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
  const { browser, input } = await createVerifiedTutor(app);
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

test('the family portal has its own entry for every path below it, and is not indexed', async () => {
  for (const path of ['/family', '/family/', '/family/details', '/family/c_1234567890']) {
    const response = await fetch(app.url + path);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const html = await response.text();
    expect(html).toContain('<title>Family portal | Lessonbook</title>');
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html).toContain('/src/family.tsx');
    expect(html).toContain('href="/family.webmanifest"');
    expect(html).not.toContain('c_1234567890');
  }
  for (const path of ['/families', '/families/1', '/familya'])
    expect((await readPage(path)).html).toContain('/src/main.tsx');
});
