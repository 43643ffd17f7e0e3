import { accounts } from '@lessonbook/contract/accounts';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import type { LessonFixture } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { DEMO_CREDENTIALS } from '../accounts/service/create-and-replace-demo-account.ts';
import { resetDemo } from '../demo/service/reset-demo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ DEMO_ACCOUNT: 'yes' });
});
afterAll(() => app.close());

async function createDraft() {
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: 'ruth@families.example',
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  await createCompletedLesson(fixture, student.id, '2026-11-03');
  const familyId = student.familyId as number;
  const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
  const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
  return { fixture, familyId, id: draft?.id as number };
}

const issue = async ({ fixture, id }: { fixture: LessonFixture; id: number }) => {
  const issued = await fixture.browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  return issued.body[0]?.token as string;
};

const fetchPdf = async (browser: Browser, path: string) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return fetch(app.url + path, { headers: { cookie } });
};

test('F01 the longest invoice is drawn outside the main thread', async () => {
  const { fixture, id } = await createDraft();
  const lines = Array.from({ length: 500 }, (_, index) => ({
    description: `${index}${'W'.repeat(196)}`,
    amount: 100,
  }));
  const saved = await fixture.browser.call(invoices.updateInvoiceDraft, {
    params: { id },
    body: { lines, note: 'N'.repeat(1000) },
  });
  expect(saved.status).toBe(200);
  const before = process.threadCpuUsage();
  const response = await fetchPdf(fixture.browser, `/api/invoices/${id}.pdf`);
  const pdf = await response.arrayBuffer();
  const { user, system } = process.threadCpuUsage(before);
  expect(response.status).toBe(200);
  expect(pdf.byteLength).toBeGreaterThan(50_000);
  // The main thread only reads the lines and sends the file; drawing took more than 30 seconds.
  expect((user + system) / 1e6).toBeLessThan(1);
  const pages = await fetchPdfPages(app.url, fixture.browser, `/api/invoices/${id}.pdf`);
  expect(pages.join(' ').replaceAll(/\s/g, '')).toContain(`499${'W'.repeat(196)}`);
});

test('F01 a cached document is used until something on it changes', async () => {
  const draft = await createDraft();
  const { browser } = draft.fixture;
  await issue(draft);
  const read = async () =>
    Buffer.from(await (await fetchPdf(browser, `/api/invoices/${draft.id}.pdf`)).arrayBuffer());
  const first = await read();
  app.clock.advance({ minutes: 5 });
  expect((await read()).equals(first)).toBe(true);
  await createPayment(browser, draft.familyId, 1000);
  const pages = await fetchPdfPages(app.url, browser, `/api/invoices/${draft.id}.pdf`);
  expect(pages[0]).toContain('-£10.00');
});

const limitedAfter = (count: number) => ({
  count,
  status: 429,
  retryAfter: expect.toSatisfy((seconds: number) => seconds > 0),
});

/** Requests the PDF until a response is not 200. */
async function requestUntilLimited(browser: Browser, path: string) {
  for (let count = 0; count < 500; count += 1) {
    const response = await fetchPdf(browser, path);
    await response.arrayBuffer();
    const { status, headers } = response;
    if (status !== 200) return { count, status, retryAfter: Number(headers.get('retry-after')) };
  }
  throw new Error('no request was rate limited');
}

test('F01 PDF downloads are limited per tutor and per public link', async () => {
  const draft = await createDraft();
  const other = await createDraft();
  const token = await issue(draft);
  const otherToken = await issue(other);
  const visitor = app.browser();
  expect(await requestUntilLimited(visitor, `/api/pay/${token}/pdf`)).toEqual(limitedAfter(20));
  expect((await fetchPdf(visitor, `/api/pay/${otherToken}/pdf`)).status).toBe(200);
  expect(await requestUntilLimited(draft.fixture.browser, `/api/invoices/${draft.id}.pdf`)).toEqual(
    limitedAfter(120),
  );
  const response = await fetchPdf(other.fixture.browser, `/api/invoices/${other.id}.pdf`);
  expect(response.status).toBe(200);
});

test('F01 PDF downloads from the demo account are limited per network', async () => {
  await resetDemo(app.context);
  const browser = app.browser();
  await browser.call(accounts.login, { body: DEMO_CREDENTIALS });
  const [invoice] = (await browser.call(invoices.listInvoices, { query: {} })).body;
  expect(await requestUntilLimited(browser, `/api/invoices/${invoice?.id}.pdf`)).toEqual(
    limitedAfter(20),
  );
});

test('F01 emails with a PDF use a separate queue', async () => {
  const draft = await createDraft();
  await issue(draft);
  const sent = await draft.fixture.browser.call(messages.sendInvoice, {
    params: { id: draft.id },
    body: { channel: 'email' },
  });
  expect(sent.status).toBe(201);
  const messageId = sent.body.messages[0]?.id;
  const jobs = await app.admin.query(`select name from jobs.job where data->>'messageId' = $1`, [
    String(messageId),
  ]);
  expect(jobs.rows).toEqual([{ name: 'send-document' }]);
});
