import { audit } from '@lessonbook/contract/audit';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { calendar } from '@lessonbook/contract/calendar';
import { cards } from '@lessonbook/contract/card-payments';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { publicBills } from '@lessonbook/contract/public-bill';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSharedLink } from '../../platform/payment-and-feed-link-tokens.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { findTextInTables } from '../../test/database-canaries.ts';
import { createCompletedLesson, readFamily } from '../../test/payment-fixture.ts';
import { fetchPdfPages, readPdfText } from '../../test/pdf-text.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

let familyCount = 0;
/** A family with an issued invoice of £35. */
async function createInvoicedFamily() {
  familyCount += 1;
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  await browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: 'Hill Tuition',
      address: '1 Tutor Street',
      phone: '+44 7700 900111',
      accountName: 'Hill Tuition',
      sortCode: '01-02-03',
      accountNumber: '12345678',
      dueDays: 7,
      invoicePrefix: '',
      nextInvoiceNumber: 1,
    },
  });
  const email = `payer${familyCount}@families.example`;
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: email,
    carerPhone: '+44 7700 900123',
  });
  const familyId = student.familyId as number;
  const family = await readFamily(browser, familyId);
  await browser.call(families.updateFamily, {
    params: { id: familyId },
    body: { address: '4 Mill Lane', reference: family.reference },
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture = { browser, studentId: student.id, subjectId: subject.id };
  await createCompletedLesson(fixture, student.id, '2026-11-03');
  const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
  const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
  const id = draft?.id ?? 0;
  const [issued] = (await browser.call(invoices.issueInvoices, { body: { ids: [id] } })).body;
  const token = issued?.token ?? '';
  return { browser, fixture, familyId, id, token, payToken: family.payToken, email };
}

const readBill = (token: string) =>
  app.browser().call(publicBills.publicBill, { params: { token } });
const claimTransfer = (token: string) =>
  app.browser().call(publicBills.claimTransfer, { params: { token } });
const readPublicPdf = async (token: string) =>
  (await fetchPdfPages(app.url, app.browser(), `/api/pay/${token}/pdf`)).join(' ');

describe('the link to a void invoice', () => {
  test('F36 shows the number and the state, and accepts no payment', async () => {
    const { browser, id, token } = await createInvoicedFamily();
    await browser.call(invoices.voidInvoice, { params: { id }, body: { reason: 'Wrong month' } });
    expect((await readBill(token)).body).toEqual({
      kind: 'invoice',
      state: 'void',
      number: '0001',
    });
    expect((await readPublicPdf(token)).split(/\s+/)).toEqual(['Invoice', '0001', 'VOID']);
    const refusal = 'Invoice 0001 is void. There is nothing to pay.';
    const claim = await claimTransfer(token);
    expect([claim.status, claim.error.message]).toEqual([409, refusal]);
    const checkout = await app
      .browser()
      .call(cards.payByCard, { params: { token }, body: { currency: 'GBP' } });
    expect([checkout.status, checkout.error.message]).toEqual([409, refusal]);
    const { rows } = await app.admin.query(
      'select 1 from families where transfer_claimed_at is not null',
    );
    expect(rows).toEqual([]);
  });
});

describe('the PDF behind a link', () => {
  test('F83 contains what the page shows; the tutor and the email get the full document', async () => {
    const { browser, id, token, email } = await createInvoicedFamily();
    const hidden = ['Ruth', 'Hale', '4 Mill Lane', '1 Tutor Street', '7700'];
    const shown = ['Hill Tuition', '0001', 'Maya', 'Maths lesson', '£35.00', '12345678'];
    const publicText = await readPublicPdf(token);
    for (const text of shown) expect(publicText).toContain(text);
    for (const text of hidden) expect(publicText).not.toContain(text);
    await browser.call(messages.sendInvoice, { params: { id }, body: { channel: 'email' } });
    const mail = await app.mailbox.waitFor(({ to }) => to.includes(email));
    const attachment = mail.attachments[0]?.content ?? new Uint8Array();
    const fullText = await readPdfText(new Uint8Array(attachment));
    for (const text of [...shown, ...hidden]) expect(fullText).toContain(text);
  });
});

describe('tokens of links', () => {
  test('F38 are not stored in any table, including messages, jobs and rate limits', async () => {
    const { browser, familyId, id, token, payToken } = await createInvoicedFamily();
    const { url } = (await browser.call(calendar.showFeed)).body;
    const feedToken = /([\w-]+)\.ics$/.exec(url)?.[1] ?? '';
    expect((await fetch(`${app.url}/api/calendar/feeds/${feedToken}.ics`)).status).toBe(200);
    for (const each of [token, payToken]) {
      expect((await readBill(each)).status).toBe(200);
      expect((await claimTransfer(each)).status).toBe(200);
      const params = { token: each };
      await app.browser().call(cards.payByCard, { params, body: { currency: 'GBP' } });
    }
    await readPublicPdf(token);
    await browser.call(messages.sendInvoice, { params: { id }, body: { channel: 'email' } });
    const to = { familyId, channel: 'whatsapp' as const };
    const preview = await browser.call(messages.previewReminder, { body: to });
    expect(preview.body.text).toContain(`/pay/${payToken}`);
    // The tutor edits the text and adds a link copied from elsewhere.
    const text = `${preview.body.text}\nOr: ${app.context.config.origin}/invoices/${token}.`;
    await browser.call(messages.sendReminder, { body: { ...to, text } });
    await waitUntilMessagesProcessed(browser);
    await browser.call(families.replacePayLink, { params: { id: familyId } });
    const client = new pg.Client(app.urls.maintenanceUrl);
    await client.connect();
    try {
      expect(await findTextInTables(client, [token, payToken, feedToken])).toEqual([]);
    } finally {
      await client.end();
    }
  });

  test('F38 stored messages contain a placeholder, and are sent and shown with the current link', async () => {
    const { browser, familyId, email } = await createInvoicedFamily();
    const body = { familyId, channel: 'whatsapp' as const };
    const draft = (await browser.call(messages.sendReminder, { body })).body.messages[0];
    const { rows } = await app.admin.query<{ text: string }>(
      `select text from messages where channel = 'whatsapp' order by created_at desc limit 1`,
    );
    expect(rows[0]?.text).toContain('{link}');
    const replaced = await browser.call(families.replacePayLink, { params: { id: familyId } });
    const link = `/pay/${replaced.body.payToken}`;
    const [shown] = (await browser.call(messages.listMessages, { query: {} })).body;
    expect(shown).toMatchObject({ id: draft?.id, text: expect.stringContaining(link) });
    expect(decodeURIComponent(shown?.openUrl ?? '')).toContain(link);
    await browser.call(messages.sendReminder, { body: { familyId, channel: 'email' } });
    const mail = await app.mailbox.waitFor(({ to }) => to.includes(email));
    for (const content of [mail.text, mail.html]) expect(content).toContain(link);
  });

  test('F38 made with the previous key are valid after a rotation, and invalid without that key', async () => {
    const { payToken } = await createInvoicedFamily();
    const { db, config } = app.context;
    const newKey = Buffer.alloc(32, 7);
    const find = (previousSecretKey: Buffer | null) =>
      findSharedLink(db, { secretKey: newKey, previousSecretKey }, payToken);
    expect(await find(config.secretKey)).toMatchObject({ kind: 'balance' });
    expect(await find(null)).toBeUndefined();
  });

  test('F38 are rejected if any part is changed', async () => {
    const { payToken, token } = await createInvoicedFamily();
    const flip = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    const forged = [
      flip(payToken, 5),
      flip(payToken, 30),
      payToken.replace('b_', 'i_'),
      payToken.slice(0, -1),
      `${payToken}A`,
      payToken.slice(0, 18) + token.slice(18),
    ];
    for (const each of forged) expect([each, (await readBill(each)).status]).toEqual([each, 404]);
  });
});

describe('replacing a link', () => {
  test('F38, F83 the old payment link stops working and the new one works', async () => {
    const { browser, familyId, payToken } = await createInvoicedFamily();
    const params = { id: familyId };
    const { body } = await browser.call(families.replacePayLink, { params });
    expect((await readBill(payToken)).status).toBe(404);
    expect((await claimTransfer(payToken)).status).toBe(404);
    expect((await readBill(body.payToken)).body).toMatchObject({ kind: 'balance', state: 'due' });
    expect((await readFamily(browser, familyId)).payToken).toBe(body.payToken);
    const [entry] = (await browser.call(audit.listAuditEntries, { query: {} })).body.entries;
    expect(entry?.text).toBe("A family's payment link was replaced.");
    expect((await browser.call(families.replacePayLink, { params: { id: 99 } })).status).toBe(404);
  });

  test('F83 the old link to an invoice stops working, and a draft has no link', async () => {
    const { browser, fixture, id, familyId, token } = await createInvoicedFamily();
    const { body } = await browser.call(invoices.replaceInvoiceLink, { params: { id } });
    expect((await readBill(token)).status).toBe(404);
    const pdf = await app.browser().send('GET', `/api/pay/${token}/pdf`);
    expect(pdf.status).toBe(404);
    expect((await readBill(body.token)).body).toMatchObject({ kind: 'invoice', state: 'due' });
    const [entry] = (await browser.call(audit.listAuditEntries, { query: {} })).body.entries;
    expect(entry?.text).toBe('The link to invoice 0001 was replaced.');
    await createCompletedLesson(fixture, fixture.studentId, '2026-11-04');
    const period = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
    const params = { id: draft?.id ?? 0 };
    const refused = await browser.call(invoices.replaceInvoiceLink, { params });
    expect(refused.status).toBe(409);
  });
});
