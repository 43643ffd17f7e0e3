import { invoiceDrafts } from '@lessonbook/contract/delete-and-restore-invoice-drafts';
import { type Batch, batches } from '@lessonbook/contract/invoice-and-reminder-batches';
import { invoices } from '@lessonbook/contract/invoices';
import { messages, NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../../test/create-tutor.ts';
import { createFamiliesWithDrafts } from '../../test/families-to-invoice.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { runBatch } from './service/run-batch.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

async function createTutorWithDrafts(...emails: string[]) {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  const created = await createFamiliesWithDrafts(browser, emails);
  return { browser, tutorId, ...created };
}

let addressCount = 0;
const newAddress = () => `family${++addressCount}@families.example`;
const countEmails = (address: string) =>
  app.mailbox.emails().filter(({ to }) => to.includes(address)).length;

type Kind = 'send_invoices' | 'issue_invoices' | 'send_reminders';

async function start(browser: Browser, kind: Kind, ids: readonly number[]): Promise<Batch> {
  const response = await browser.call(batches.startBatch, { body: { kind, ids: [...ids] } });
  expect(response.status).toBe(201);
  return response.body;
}

const read = async (browser: Browser, id: number): Promise<Batch> =>
  (await browser.call(batches.batch, { params: { id } })).body;

async function waitUntilDone(browser: Browser, id: number): Promise<Batch> {
  await waitUntil(
    async () => !(await read(browser, id)).isRunning,
    () => `batch ${id} is still running`,
  );
  return read(browser, id);
}

const states = (batch: Batch) => batch.items.map(({ state }) => state);

describe('sending invoices', () => {
  test('F130 drafts are issued and emailed; the draft for a family without an address is only issued', async () => {
    const address = newAddress();
    const { browser, draftIds } = await createTutorWithDrafts(address, '');
    const { id, items } = await start(browser, 'send_invoices', draftIds);
    expect(items).toMatchObject([
      { familyName: 'Carer 0', students: ['Child'], amount: { currency: 'GBP', minor: 3500 } },
      { familyName: 'Carer 1', address: null },
    ]);
    const done = await waitUntilDone(browser, id);
    expect(done).toMatchObject({ total: 2, done: 1, notDone: 1, isStopped: false });
    expect(done.items).toMatchObject([
      { number: '0001', state: 'sent', address, at: '2026-11-16T12:00:00.000Z', problem: null },
      {
        number: '0002',
        state: 'not_done',
        problem: 'Carer 1 has no email address yet. Please add one.',
      },
    ]);
    expect(countEmails(address)).toBe(1);
    // The preview has already shown the tutor that the address is missing.
    const { body } = await browser.call(notifications.listNotifications, { query: {} });
    expect(body.notifications).toEqual([]);
    expect((await browser.call(batches.listBatches)).body).toMatchObject([{ id, notDone: 1 }]);
  });

  test('F130 each family gets one email, even if an idempotency key is sent twice, two windows send requests and the job runs again', async () => {
    const addresses = [newAddress(), newAddress(), newAddress()];
    const { browser, tutorId, draftIds } = await createTutorWithDrafts(...addresses);
    const body = { kind: 'send_invoices', ids: draftIds };
    const send = (key: string) =>
      browser.send('POST', '/api/batches', body, { 'idempotency-key': key });
    const replies = await Promise.all([
      send('first-window'),
      send('first-window'),
      send('second-window'),
    ]);
    const ids = replies.map((reply) => (reply.body as Batch).id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    for (const batchId of ids) await runBatch(app.context, { tutorId, batchId });
    for (const id of ids) {
      const done = await waitUntilDone(browser, id);
      expect(states(done)).toEqual(['sent', 'sent', 'sent']);
    }
    const later = await start(browser, 'send_invoices', draftIds);
    expect(states(await waitUntilDone(browser, later.id))).toEqual(['sent', 'sent', 'sent']);
    expect(addresses.map(countEmails)).toEqual([1, 1, 1]);
    expect((await browser.call(messages.listMessages, { query: {} })).body).toHaveLength(3);
  });

  test('F130 a draft that has changed does not stop the others, and a retry sends only that one', async () => {
    const addresses = [newAddress(), newAddress(), newAddress()];
    const { browser, tutorId, draftIds } = await createTutorWithDrafts(...addresses);
    const draft = (await browser.call(invoices.invoice, { params: { id: draftIds[1] ?? 0 } })).body;
    await app.admin.query('update charges set reversed = true where tutor_id = $1 and id = $2', [
      tutorId,
      draft.lines[0]?.chargeId,
    ]);
    const { id } = await start(browser, 'send_invoices', draftIds);
    const done = await waitUntilDone(browser, id);
    expect(states(done)).toEqual(['sent', 'not_done', 'sent']);
    expect(done.items[1]).toMatchObject({
      number: null,
      problem: 'Some lessons on the draft for Carer 1 have changed. Please check it again.',
    });
    const list = await browser.call(notifications.listNotifications, { query: {} });
    expect(list.body.open).toMatchObject([
      {
        kind: 'batch_failed',
        text: "1 invoice wasn't sent. Open the list to see why and try again.",
        path: `/batches/${id}`,
      },
    ]);
    await app.admin.query('update charges set reversed = false where tutor_id = $1 and id = $2', [
      tutorId,
      draft.lines[0]?.chargeId,
    ]);
    await Promise.all([
      browser.call(batches.retryBatch, { params: { id } }),
      browser.call(batches.retryBatch, { params: { id } }),
    ]);
    expect(states(await waitUntilDone(browser, id))).toEqual(['sent', 'sent', 'sent']);
    expect(addresses.map(countEmails)).toEqual([1, 1, 1]);
    const after = await browser.call(notifications.listNotifications, { query: {} });
    expect(after.body.open).toEqual([]);
    expect((await browser.call(batches.listBatches)).body).toEqual([]);
  });

  test('F130 after the tutor stops the batch, each invoice is either sent or marked as not done, and a retry sends the rest', async () => {
    const addresses = Array.from({ length: 6 }, newAddress);
    const { browser, draftIds } = await createTutorWithDrafts(...addresses);
    const { id } = await start(browser, 'send_invoices', draftIds);
    const stopped = await browser.call(batches.stopBatch, { params: { id } });
    expect(stopped.body.items.every(({ state }) => state !== 'waiting')).toBe(true);
    const done = await waitUntilDone(browser, id);
    for (const { state, address, problem } of done.items) {
      expect(countEmails(address ?? '')).toBe(state === 'sent' ? 1 : 0);
      expect(problem).toBe(state === 'sent' ? null : 'You stopped the batch before this one.');
    }
    await browser.call(batches.retryBatch, { params: { id } });
    expect((await waitUntilDone(browser, id)).items).toMatchObject(
      addresses.map((address) => ({ address, state: 'sent', problem: null })),
    );
    expect(addresses.map(countEmails)).toEqual(addresses.map(() => 1));
  });

  test('F130 an address that bounces is reported in its row, and sending can be retried once it is corrected', async () => {
    const address = newAddress();
    const { browser, families, draftIds } = await createTutorWithDrafts(address);
    app.mailbox.rejectNext(550, 1);
    const { id } = await start(browser, 'send_invoices', draftIds);
    const failed = await waitUntilDone(browser, id);
    expect(failed.items).toMatchObject([
      { state: 'not_done', number: '0001', problem: expect.stringContaining("can't be delivered") },
    ]);
    const corrected = newAddress();
    const contactId = families[0]?.carerId ?? 0;
    await app.admin.query('update contacts set email = $1 where id = $2 and email = $3', [
      corrected,
      contactId,
      address,
    ]);
    await browser.call(batches.retryBatch, { params: { id } });
    expect(states(await waitUntilDone(browser, id))).toEqual(['sent']);
    expect([address, corrected].map(countEmails)).toEqual([0, 1]);
  });

  test('F130 is rejected at the start if there is no payment method', async () => {
    const { browser, tutorId, draftIds } = await createTutorWithDrafts(newAddress());
    await app.admin.query('delete from business_settings where tutor_id = $1', [tutorId]);
    const refused = await browser.call(batches.startBatch, {
      body: { kind: 'send_invoices', ids: draftIds },
    });
    expect(refused).toMatchObject({ status: 409, error: { message: NO_PAYMENT_METHOD_MESSAGE } });
    const preview = await browser.call(batches.previewInvoiceBatch, { body: { ids: draftIds } });
    expect(preview.body.problem).toBe(NO_PAYMENT_METHOD_MESSAGE);
    const issued = await start(browser, 'issue_invoices', draftIds);
    expect((await waitUntilDone(browser, issued.id)).items).toMatchObject([
      { state: 'issued', number: '0001', messageId: null },
    ]);
  });
});

describe('before invoices are issued', () => {
  test('F131 the preview shows the numbers, the invoices and their recipients, and the text', async () => {
    const address = newAddress();
    const { browser, draftIds } = await createTutorWithDrafts(address, '');
    const { body } = await browser.call(batches.previewInvoiceBatch, { body: { ids: draftIds } });
    expect(body).toMatchObject({ numbers: ['0001', '0002'], dueOn: '2026-11-23', problem: null });
    expect(body.rows).toMatchObject([
      {
        familyName: 'Carer 0',
        number: null,
        total: 3500,
        lessonCount: 1,
        firstDate: '2026-11-10',
        lastDate: '2026-11-10',
        upcoming: 0,
        address,
        problem: null,
      },
      { address: null, problem: 'Carer 1 has no email address yet. Please add one.' },
    ]);
    const text = await browser.call(messages.previewInvoiceMessage, {
      params: { id: draftIds[0] ?? 0 },
      body: { channel: 'email' },
    });
    expect(text.body.subject).toContain('[number]');
    expect(text.body.text).toContain('£35.00');
    expect(text.body.text).toContain('[link]');
  });

  test('F131 drafts are deleted together and restored by Undo', async () => {
    const { browser, draftIds } = await createTutorWithDrafts(newAddress(), newAddress());
    const [first = 0] = draftIds;
    const draft = (await browser.call(invoices.invoice, { params: { id: first } })).body;
    await browser.call(invoices.updateInvoiceDraft, {
      params: { id: first },
      body: {
        note: 'Thank you',
        dueOn: '2026-12-01',
        lines: [{ chargeId: draft.lines[0]?.chargeId }, { description: 'Book', amount: 1200 }],
      },
    });
    const deleted = await browser.call(invoiceDrafts.deleteInvoiceDrafts, {
      body: { ids: draftIds },
    });
    expect(deleted.body.drafts.map(({ lines }) => lines)).toEqual([
      [{ chargeId: draft.lines[0]?.chargeId }, { description: 'Book', amount: 1200 }],
      [{ chargeId: expect.any(Number) }],
    ]);
    const list = () => browser.call(invoices.listInvoices, { query: {} });
    expect((await list()).body).toEqual([]);
    const restore = () =>
      browser.send('POST', '/api/invoices/drafts/restore', deleted.body, {
        'idempotency-key': 'undo-deleting',
      });
    expect((await restore()).status).toBe(201);
    expect((await restore()).status).toBe(201);
    const restored = (await list()).body;
    expect(restored.map(({ total }) => total).toSorted((a, b) => a - b)).toEqual([3500, 4700]);
    const idOfDraftWithItem = restored.find(({ total }) => total === 4700)?.id ?? 0;
    const reread = await browser.call(invoices.invoice, { params: { id: idOfDraftWithItem } });
    expect(reread.body).toMatchObject({
      note: 'Thank you',
      dueOn: '2026-12-01',
      lines: [{ description: draft.lines[0]?.description }, { description: 'Book' }],
    });
    const again = await browser.call(invoiceDrafts.restoreInvoiceDrafts, { body: deleted.body });
    expect(again.status).toBe(409);
  });

  test('F131 no draft is deleted if one of them has been issued', async () => {
    const { browser, draftIds } = await createTutorWithDrafts(newAddress(), newAddress());
    await browser.call(invoices.issueInvoices, { body: { ids: [draftIds[0] ?? 0] } });
    const refused = await browser.call(invoiceDrafts.deleteInvoiceDrafts, {
      body: { ids: draftIds },
    });
    expect(refused.status).toBe(409);
    const drafts = await browser.call(invoices.listInvoices, { query: { state: 'draft' } });
    expect(drafts.body).toHaveLength(1);
  });
});

test('F130 each overdue family gets one reminder, and a family that was reminded today is skipped', async () => {
  const address = newAddress();
  const { browser, families } = await createTutorWithDrafts(address, '');
  app.clock.advance({ days: 10 });
  const ids = families.map(({ familyId }) => familyId);
  const first = await start(browser, 'send_reminders', ids);
  const done = await waitUntilDone(browser, first.id);
  expect(done.items).toMatchObject([
    { state: 'sent', address, amount: null, invoiceId: null },
    { state: 'not_done', problem: 'Carer 1 has no email address yet. Please add one.' },
  ]);
  const second = await start(browser, 'send_reminders', ids);
  expect(states(await waitUntilDone(browser, second.id))).toEqual(['skipped', 'not_done']);
  expect(countEmails(address)).toBe(1);
});
