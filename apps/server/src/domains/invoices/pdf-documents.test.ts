import { businessSettings } from '@lessonbook/contract/business-settings';
import { invoices } from '@lessonbook/contract/invoices';
import { reports } from '@lessonbook/contract/reports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { addLesson, type LessonFixture } from '../../test/lesson-fixture.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
} from '../../test/payment-fixture.ts';
import { fetchPdfPages } from '../../test/pdf-text.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const fetchPages = (fixture: LessonFixture, path: string) =>
  fetchPdfPages(app.url, fixture.browser, path);

async function createIssuedInvoice(fixture: LessonFixture, familyId: number): Promise<number> {
  const body = { familyId, from: '2026-01-01', to: '2026-12-31', includeUpcoming: true };
  const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
  const ids = [draft?.id ?? 0];
  await fixture.browser.call(invoices.issueInvoices, { body: { ids } });
  return ids[0] ?? 0;
}

test('the PDF contains the parties, lines, dates, amounts and payment details as text', async () => {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  await fixture.browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: 'Hill Tuition',
      address: '12 Orchard Lane\nBristol',
      accountName: 'A Tutor',
      sortCode: '01-02-03',
      accountNumber: '12345678',
      dueDays: 7,
      invoiceNote: 'Thank you for a good month.',
      invoicePrefix: '',
      nextInvoiceNumber: 1,
    },
  });
  await createCompletedLesson(fixture, children[0] ?? 0, '2026-11-03');
  await createPayment(fixture.browser, familyId, 1000);
  const id = await createIssuedInvoice(fixture, familyId);
  const [page = ''] = await fetchPages(fixture, `/api/invoices/${id}.pdf`);
  for (const text of [
    'Hill Tuition',
    '12 Orchard Lane',
    'Invoice 0001',
    '16 Nov 2026',
    '23 Nov 2026',
    'Ruth Hale',
    'Lena',
    'Maths lesson',
    '3 Nov 2026',
    '£35.00',
    '-£10.00',
    '£25.00',
    '01-02-03',
    '12345678',
    `LESSONS${familyId}`,
    'Thank you for a good month.',
    'Page 1 of 1',
  ])
    expect(page).toContain(text);
  expect(page).not.toContain('Lena Hale');
  await fixture.browser.call(invoices.voidInvoice, { params: { id }, body: {} });
  expect((await fetchPages(fixture, `/api/invoices/${id}.pdf`))[0]).toContain('VOID');
});

test('[V1.1.2, V1.3.7] malicious names, long lines and non-Latin scripts are rendered as text', async () => {
  const { fixture } = await createFamilyFixture(app);
  const carerName = '<b>Ruth</b> ${7*7} {{x}} \u202Eevil \\n ../../etc/passwd';
  const student = await createStudent(fixture.browser, { name: 'Łukasz Żółć', carerName });
  await createCompletedLesson(fixture, student.id, '2026-11-03');
  await fixture.browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: 'Школа Ελλάδα',
      address: 'A'.repeat(300),
      dueDays: 7,
      invoicePrefix: '',
      nextInvoiceNumber: 1,
    },
  });
  const id = await createIssuedInvoice(fixture, student.familyId ?? 0);
  const text = (await fetchPages(fixture, `/api/invoices/${id}.pdf`)).join(' ');
  // The PDF reader inserts a space between runs in different fonts.
  for (const part of [
    '<b>Ruth</b>',
    '${7*7}',
    '{{x}}',
    '../../etc/passwd',
    'Łukasz',
    'ШколаΕλλάδα',
  ])
    expect(text.replaceAll(/\s/g, '')).toContain(part);
  expect(text).not.toContain('\u202E');
});

test('a long invoice has several numbered pages', async () => {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  await addLesson(fixture, {
    studentId: children[0] ?? 0,
    isRecurring: true,
    recurringEndDate: '2027-10-31',
  });
  const body = { familyId, from: '2026-01-01', to: '2027-12-31', includeUpcoming: true };
  const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
  const ids = [draft?.id ?? 0];
  await fixture.browser.call(invoices.issueInvoices, { body: { ids } });
  const pages = await fetchPages(fixture, `/api/invoices/${ids[0]}.pdf`);
  expect(pages.length).toBeGreaterThan(1);
  pages.forEach((page, index) => expect(page).toContain(`Page ${index + 1} of ${pages.length}`));
});

test('[T13] the earnings report is available as a PDF and as a CSV with formulas escaped', async () => {
  const { fixture, familyId } = await createFamilyFixture(app);
  const malicious = await createStudent(fixture.browser, { name: '=HYPERLINK("http://evil")' });
  await createPayment(fixture.browser, familyId, 3500, { date: '2026-10-05', note: '+SUM(A1)' });
  await createPayment(fixture.browser, malicious.familyId ?? 0, 1250, { date: '2026-10-06' });
  const [page = ''] = await fetchPages(fixture, '/api/reports/earnings.pdf?period=last_month');
  expect(page).toContain('Tutor Earnings Report');
  expect(page).toContain('£47.50');
  const csv = await fixture.browser.send('GET', '/api/reports/earnings.csv?period=last_month');
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="earnings-/);
  const rows = String(csv.body).split('\r\n');
  expect(rows[1]).toBe(
    `2026-10-06,Payment,"'=HYPERLINK(""http://evil"")","'=HYPERLINK(""http://evil"")",12.5,GBP,Bank transfer,`,
  );
  expect(rows[2]).toContain("'+SUM(A1)");
  const emptyReport = await fixture.browser.call(reports.earnings, {
    query: { period: 'this_month' },
  });
  expect(emptyReport.body.totals).toEqual([]);
});
