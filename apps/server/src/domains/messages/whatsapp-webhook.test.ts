import { accounts } from '@lessonbook/contract/accounts';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { invoices } from '@lessonbook/contract/invoices';
import { publicBills } from '@lessonbook/contract/public-bill';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../invariants.ts';
import { readFamily } from '../../test/payment-fixture.ts';
import { readAllRowsOfTutor } from '../../test/tenant-isolation-test-support.ts';
import {
  createConsentedSetup,
  createWhatsAppSetup,
  sendLessonReminder,
  sendOverdueReminder,
  startWhatsAppTestApp,
  type WhatsAppTestApp,
  waitUntilMessagesSent,
} from '../../test/whatsapp-test-app.ts';

let testApp: WhatsAppTestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  testApp = await startWhatsAppTestApp();
  maintenance = new pg.Client(testApp.app.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await testApp.close();
});
afterEach(() => testApp.app.restartClock());

type ConsentedSetup = Awaited<ReturnType<typeof createConsentedSetup>>;
type Status = 'sent' | 'delivered' | 'read' | 'failed';

const toStatuses = ({ first }: ConsentedSetup, ...statuses: Status[]) =>
  statuses.map((status) => ({ message: first, status }));
const deliver = (payload: object | string, secret?: string) =>
  testApp.whatsApp.webhooks.deliver(testApp.webhook, payload, secret);
const reportStatus = (setup: ConsentedSetup, ...statuses: Status[]) =>
  deliver(testApp.whatsApp.webhooks.statuses(toStatuses(setup, ...statuses)));
const sendReply = (digits: string, text: string, at?: number) =>
  deliver(testApp.whatsApp.webhooks.message(digits, text, at));
const messagesTo = (setup: { digits: string }) =>
  testApp.whatsApp.accepted().filter((message) => message.to === setup.digits);

describe('verification', () => {
  test('returns the challenge only for the correct verify token', async () => {
    const { webhooks } = testApp.whatsApp;
    const good = await webhooks.verify(testApp.webhook);
    expect([good.status, await good.text()]).toEqual([200, '1158201444']);
    expect(good.headers.get('content-type')).toMatch(/^text\/plain/);
    for (const token of ['', 'another', `${testApp.whatsApp.account.verifyToken} `]) {
      const response = await webhooks.verify(testApp.webhook, token);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'forbidden' });
    }
    expect((await webhooks.verify(testApp.webhook, undefined, 'unsubscribe')).status).toBe(403);
    expect((await fetch(testApp.webhook)).status).toBe(400);
  });
});

describe('signatures', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(testApp.webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  test('[T21] returns 401 and changes nothing unless the signature matches the exact body', async () => {
    const setup = await createConsentedSetup(testApp);
    const before = await readAllRowsOfTutor(maintenance, setup.tutorId);
    const { webhooks, account } = testApp.whatsApp;
    const read = JSON.stringify(webhooks.statuses(toStatuses(setup, 'read')));
    const stop = JSON.stringify(webhooks.message(setup.digits, 'STOP'));
    const name = 'x-hub-signature-256';
    for (const body of [read, stop]) {
      const good = webhooks.sign(body);
      const spaced = JSON.stringify(JSON.parse(body), null, 1);
      const responses = [
        await post(body),
        await post(body, { [name]: '' }),
        await post(body, { [name]: 'sha256=' }),
        await post(body, { [name]: good.slice(7) }),
        await post(body, { [name]: good.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
        await post(body, { [name]: webhooks.sign(body, 'another secret') }),
        await post(body, { [name]: webhooks.sign(body, account.verifyToken) }),
        await post(body.replace('"read"', '"sent"').replace('STOP', 'STOPP'), { [name]: good }),
        await post(spaced, { [name]: good }),
        await post(`${body} `, { [name]: good }),
        await post(body, { [name]: webhooks.sign(spaced) }),
      ];
      for (const response of responses) {
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
      }
    }
    expect(await readAllRowsOfTutor(maintenance, setup.tutorId)).toEqual(before);
    await sendOverdueReminder(testApp.app, setup);
    await waitUntilMessagesSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
    // The same bodies are accepted with a valid signature.
    expect((await deliver(read)).status).toBe(200);
    expect((await setup.log()).at(-1)?.state).toBe('read');
  });

  test('limits the body size, and returns 400 for signed bodies that are not webhooks', async () => {
    const big = JSON.stringify({ entry: [], more: 'x'.repeat(1024 * 1024) });
    expect((await deliver(big)).status).toBe(200);
    const huge = JSON.stringify({ entry: [], more: 'x'.repeat(3 * 1024 * 1024) });
    expect((await deliver(huge)).status).toBe(413);
    for (const body of ['', 'no', '{}', '{"entry":5}']) {
      expect((await deliver(body)).status).toBe(400);
    }
  });
});

describe('delivery statuses', () => {
  test.each([1, 2, 3, 4])(
    'statuses in any order, with duplicates, leave the message in its furthest state (seed %i)',
    async (seed) => {
      const setup = await createConsentedSetup(testApp);
      const { webhooks } = testApp.whatsApp;
      const statusUpdates = toStatuses(setup, 'sent', 'delivered', 'read');
      const responses = await webhooks.deliverShuffled(testApp.webhook, statusUpdates, seed);
      expect(responses).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await setup.newest()).toMatchObject({ state: 'read', text: setup.first.text });
      await reportStatus(setup, 'failed');
      expect(await setup.newest()).toMatchObject({ state: 'read' });
      expect(await setup.notifications()).toEqual([]);
    },
  );

  test('[T21] all statuses in one webhook are applied, and a duplicate does not change the revision', async () => {
    const setup = await createConsentedSetup(testApp);
    await reportStatus(setup, 'read', 'sent', 'delivered');
    expect(await setup.newest()).toMatchObject({ state: 'read' });
    const revision = async () => (await setup.browser.call(accounts.me)).body.revision;
    const before = await revision();
    await reportStatus(setup, 'delivered', 'read');
    expect(await revision()).toBe(before);
  });

  test('a failure after sending turns the message into a draft and notifies the tutor once', async () => {
    const setup = await createConsentedSetup(testApp);
    for (let copy = 0; copy < 3; copy += 1)
      expect((await reportStatus(setup, 'failed')).status).toBe(200);
    await reportStatus(setup, 'delivered');
    expect(await setup.newest()).toMatchObject({
      state: 'draft',
      sentAt: null,
      problem: expect.stringContaining("WhatsApp can't reach this number."),
    });
    expect((await setup.newest())?.text).toContain('just reply.');
    expect(await setup.notifications()).toMatchObject([
      { kind: 'message_failed', text: expect.stringContaining('Ruth Hale'), requiresAction: true },
    ]);
    expect(await setup.consents()).toEqual([]);
  });

  test('a failure after the lesson creates no draft', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.app.clock.advance({ days: 2 });
    await reportStatus(setup, 'failed');
    expect(await setup.newest()).toMatchObject({ state: 'failed' });
    expect(await setup.outbox()).toMatchObject([{ state: 'failed' }]);
  });

  test('statuses for unknown messages or other phone numbers are ignored', async () => {
    const setup = await createConsentedSetup(testApp);
    const before = await readAllRowsOfTutor(maintenance, setup.tutorId);
    const { webhooks } = testApp.whatsApp;
    const unknownMessage = { id: 'wamid.none', to: setup.digits, reference: 'none' };
    const payloads = [
      webhooks.statuses([
        { message: unknownMessage, status: 'read' },
        { message: unknownMessage, status: 'failed' },
      ]),
      webhooks.statuses(toStatuses(setup, 'read'), '999'),
    ];
    for (const payload of payloads) expect((await deliver(payload)).status).toBe(200);
    expect(await readAllRowsOfTutor(maintenance, setup.tutorId)).toEqual(before);
    // A bill token is not a message reference, even though the family has the same id as a message.
    await maintenance.query('update messages set vendor_id = null where tutor_id = $1', [
      setup.tutorId,
    ]);
    const { payToken } = await readFamily(setup.browser, setup.familyId);
    const billMessage = { ...unknownMessage, reference: payToken };
    await deliver(webhooks.statuses([{ message: billMessage, status: 'read' }]));
    expect(await setup.newest()).toMatchObject({ id: setup.familyId, state: 'sent' });
  });

  test('a thousand statuses are applied before the response is sent', async () => {
    const setup = await createConsentedSetup(testApp);
    const { webhooks } = testApp.whatsApp;
    const unknown = Array.from({ length: 999 }, (_, index) => ({
      message: { id: `wamid.none${index}`, to: setup.digits, reference: `none${index}` },
      status: 'read' as const,
    }));
    const response = await deliver(webhooks.statuses([...unknown, ...toStatuses(setup, 'read')]));
    expect(response.status).toBe(200);
    expect(await setup.newest()).toMatchObject({ state: 'read' });
  });
});

describe('STOP and START', () => {
  test('STOP applies to all tutors until START', async () => {
    const setup = await createConsentedSetup(testApp);
    const other = await createWhatsAppSetup(testApp.app, setup.phone);
    await sendLessonReminder(testApp.app, other);
    await other.giveConsent((await other.outbox())[0]?.id ?? 0);
    await waitUntilMessagesSent(other);
    expect(messagesTo(setup)).toHaveLength(2);
    expect((await sendReply(setup.digits, ' Stop! ')).status).toBe(200);
    await sendOverdueReminder(testApp.app, setup);
    await sendOverdueReminder(testApp.app, other);
    for (const each of [setup, other]) {
      await waitUntilMessagesSent(each);
      expect(await each.newest()).toMatchObject({
        state: 'skipped',
        problem: expect.stringContaining('They replied STOP'),
      });
      expect(await each.outbox()).toEqual([]);
      expect(await each.notifications()).toMatchObject([
        { text: "Ruth Hale replied STOP to WhatsApp reminders and won't receive any more." },
      ]);
    }
    expect(messagesTo(setup)).toHaveLength(2);
    const third = await createWhatsAppSetup(testApp.app, setup.phone);
    await sendOverdueReminder(testApp.app, third);
    const [draft] = await third.outbox();
    const rejected = await third.giveConsent(draft?.id ?? 0);
    expect([rejected.status, rejected.error.message]).toEqual([
      409,
      'They replied STOP. They can reply START to get messages again.',
    ]);
    expect(await third.consents()).toEqual([]);
    await sendReply(setup.digits, 'START');
    await third.giveConsent(draft?.id ?? 0);
    await waitUntilMessagesSent(third);
    expect(messagesTo(setup)).toHaveLength(3);
    const { rows } = await maintenance.query('select * from whatsapp_opt_outs');
    expect(JSON.stringify(rows)).not.toContain(setup.digits);
  });

  test('the latest keyword applies, whatever the order of the webhooks and despite duplicates', async () => {
    const at = 1_794_900_000;
    const [early, late] = [
      await createConsentedSetup(testApp),
      await createConsentedSetup(testApp),
    ];
    await sendReply(early.digits, 'start', at + 60);
    await sendReply(early.digits, 'STOPP', at);
    await sendReply(early.digits, 'STOPP', at);
    await sendReply(late.digits, 'unsubscribe', at + 60);
    await sendReply(late.digits, 'START', at);
    for (const [setup, count] of [
      [early, 2],
      [late, 1],
    ] as const) {
      await sendOverdueReminder(testApp.app, setup);
      await waitUntilMessagesSent(setup);
      expect(messagesTo(setup)).toHaveLength(count);
    }
  });

  test('other replies are ignored', async () => {
    const setup = await createConsentedSetup(testApp);
    for (const text of ['Please do not stop', 'Thank you', '']) await sendReply(setup.digits, text);
    await sendOverdueReminder(testApp.app, setup);
    await waitUntilMessagesSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
  });
});

describe('tenant isolation', () => {
  test("[AUTH-45] another tutor's drafts and consents cannot be read or changed", async () => {
    const theirs = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.app, theirs);
    await waitUntilMessagesSent(theirs);
    const mine = await createWhatsAppSetup(testApp.app);
    const before = await readAllRowsOfTutor(maintenance, theirs.tutorId);
    for (const { id } of await theirs.log()) {
      const response = await mine.giveConsent(id);
      expect([response.status, response.error.code]).toEqual([404, 'not_found']);
    }
    expect(await mine.consents()).toEqual([]);
    const body = { address: theirs.phone };
    await mine.browser.call(whatsappConsents.withdrawConsent, { body });
    expect(await readAllRowsOfTutor(maintenance, theirs.tutorId)).toEqual(before);
    const anonymous = testApp.app.browser();
    expect((await anonymous.call(whatsappConsents.listConsents)).status).toBe(401);
    expect(
      (await anonymous.call(whatsappConsents.grantConsent, { params: { id: 1 } })).status,
    ).toBe(401);
  });

  test('[AUTH-45] consent given to another tutor does not apply to this one', async () => {
    const theirs = await createConsentedSetup(testApp);
    const mine = await createWhatsAppSetup(testApp.app, theirs.phone);
    await sendOverdueReminder(testApp.app, mine);
    expect(await mine.outbox()).toHaveLength(1);
    expect(messagesTo(theirs)).toHaveLength(1);
  });

  test("[AUTH-45] a status changes only its own tutor's message, even if the message ids are equal", async () => {
    const theirs = await createConsentedSetup(testApp);
    const mine = await createConsentedSetup(testApp);
    const [theirMessage, myMessage] = [await theirs.newest(), await mine.newest()];
    expect(myMessage?.id).toBe(theirMessage?.id);
    // The vendor id and the reference belong to different messages, so neither status matches a message.
    const mixed = [
      { message: { ...theirs.first, reference: mine.first.reference }, status: 'read' as const },
      { message: { ...mine.first, reference: theirs.first.reference }, status: 'read' as const },
    ];
    expect((await deliver(testApp.whatsApp.webhooks.statuses(mixed))).status).toBe(200);
    expect([await theirs.newest(), await mine.newest()]).toEqual([theirMessage, myMessage]);
    await reportStatus(mine, 'read');
    expect(await theirs.newest()).toEqual(theirMessage);
    expect(await mine.newest()).toMatchObject({ state: 'read' });
  });

  test('ids known to WhatsApp cannot be used as bill or unsubscribe tokens', async () => {
    const setup = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.app, setup);
    const period = { familyId: setup.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await setup.browser.call(invoices.draftInvoice, { body: period })).body;
    await setup.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    // A family and an invoice have the same id as the message.
    expect([setup.familyId, draft?.id]).toEqual([1, 1]);
    expect((await setup.log()).at(-1)?.id).toBe(1);
    for (const token of [setup.first.reference, setup.first.id]) {
      const params = { token };
      const browser = testApp.app.browser();
      expect((await browser.call(publicBills.publicBill, { params })).status).toBe(404);
      expect((await browser.call(publicBills.claimTransfer, { params })).status).toBe(404);
      expect((await browser.call(emailPreferences.unsubscribe, { params })).status).toBe(404);
    }
  });
});

test('these tests have violated no invariants', async () => {
  expect(await findViolations(maintenance)).toEqual([]);
});
