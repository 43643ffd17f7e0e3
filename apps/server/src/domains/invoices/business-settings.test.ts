import { businessSettings } from '@lessonbook/contract/business-settings';
import { invoices } from '@lessonbook/contract/invoices';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCompletedLesson, createFamilyFixture } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

async function createFixture() {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const { browser } = fixture;
  await createCompletedLesson(fixture, children[0] as number, '2026-11-10');
  return {
    browser,
    save: (nextInvoiceNumber: number) =>
      browser.call(businessSettings.saveBusinessSettings, {
        body: { dueDays: 7, invoicePrefix: '', nextInvoiceNumber },
      }),
    issueInvoice: async () => {
      const body = { familyId, from: '2026-11-01', to: '2026-11-30' };
      const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
      const ids = [draft?.id ?? 0];
      return (await browser.call(invoices.issueInvoices, { body: { ids } })).body[0]?.number;
    },
  };
}

test('rejects a next number that is already used', async () => {
  const { save, issueInvoice } = await createFixture();
  await issueInvoice();
  expect((await save(1)).error.fields).toEqual({
    nextInvoiceNumber: 'Number 1 is already used. Please enter 2 or more',
  });
});

test('F40 the settings can still be saved after the highest number that can be entered has been assigned', async () => {
  const { browser, save, issueInvoice } = await createFixture();
  expect((await save(100_000_000)).error.fields).toEqual({
    nextInvoiceNumber: 'Please enter 99999999 or less',
  });
  expect((await save(99_999_999)).status).toBe(200);
  expect(await issueInvoice()).toBe('99999999');
  const { nextInvoiceNumber } = (await browser.call(businessSettings.businessSettings)).body;
  expect(nextInvoiceNumber).toBe(100_000_000);
  expect((await save(nextInvoiceNumber)).status).toBe(200);
  expect((await save(1)).status).toBe(400);
});

test('F103 checks and formats bank details and the phone number', async () => {
  const { browser } = await createFixture();
  const terms = { dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 1 };
  const save = (change: object) =>
    browser.call(businessSettings.saveBusinessSettings, { body: { ...terms, ...change } });
  const wrong = { sortCode: '12345', accountNumber: '12ab', iban: 'GB00 NOPE', bic: 'x' };
  const { status, error } = await save(wrong);
  expect(status).toBe(400);
  expect(error.fields).toEqual({
    sortCode: 'A sort code has 6 digits, for example 12-34-56',
    accountNumber: 'An account number has 8 digits',
    iban: 'Check the IBAN: a character is missing or wrong',
    bic: 'A BIC has 8 or 11 characters, for example ABCDGB2L',
  });
  expect((await save({ phone: 'abc' })).error.fields).toEqual({
    phone: 'Enter only the number, for example 07700 900123',
  });
  const saved = { sortCode: '20 00 00', accountNumber: '5577 9911', phone: '07700 900123' };
  expect((await save(saved)).body).toMatchObject({
    sortCode: '20-00-00',
    accountNumber: '55779911',
    phone: '07700 900123',
  });
});
