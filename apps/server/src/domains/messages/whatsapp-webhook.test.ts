import { accounts } from '@lessonbook/contract/accounts';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { publicInvoices } from '@lessonbook/contract/public-invoice';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../invariants.ts';
import { readFamily as accountOf } from '../../test/payment-fixture.ts';
import { readAllRows } from '../../test/tenant-isolation.ts';
import {
  createConsentedSetup,
  createWhatsAppSetup,
  sendLessonReminder,
  sendOverdueReminder,
  startWhatsAppTestApp,
  type WhatsAppTestApp,
  waitUntilSent,
} from '../../test/whatsapp-test-app.ts';

let testApp: WhatsAppTestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  testApp = await startWhatsAppTestApp();
  maintenance = new pg.Client(testApp.house.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await testApp.close();
});
afterEach(() => testApp.house.restartClock());

type ConsentedSetup = Awaited<ReturnType<typeof createConsentedSetup>>;
type Status = 'sent' | 'delivered' | 'read' | 'failed';

const statusesOf = ({ first }: ConsentedSetup, ...statuses: Status[]) =>
  statuses.map((status) => ({ message: first, status }));
const deliver = (payload: object | string, secret?: string) =>
  testApp.standIn.webhooks.deliver(testApp.webhook, payload, secret);
const reportStatus = (setup: ConsentedSetup, ...statuses: Status[]) =>
  deliver(testApp.standIn.webhooks.statuses(statusesOf(setup, ...statuses)));
const sendReply = (digits: string, text: string, at?: number) =>
  deliver(testApp.standIn.webhooks.message(digits, text, at));
const messagesTo = (setup: { digits: string }) =>
  testApp.standIn.taken().filter((message) => message.to === setup.digits);

describe('the question whether the address is ours', () => {
  test('is answered to whoever knows the word, and to nobody else', async () => {
    const { webhooks } = testApp.standIn;
    const good = await webhooks.verify(testApp.webhook);
    expect([good.status, await good.text()]).toEqual([200, '1158201444']);
    expect(good.headers.get('content-type')).toMatch(/^text\/plain/);
    for (const token of ['', 'another', `${testApp.standIn.account.verifyToken} `]) {
      const answer = await webhooks.verify(testApp.webhook, token);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'forbidden' });
    }
    expect((await webhooks.verify(testApp.webhook, undefined, 'unsubscribe')).status).toBe(403);
    expect((await fetch(testApp.webhook)).status).toBe(400);
  });
});

describe('a webhook that WhatsApp did not sign', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(testApp.webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  test('[T21] is refused, and nothing changes: no signature, another secret, another text, written anew', async () => {
    const setup = await createConsentedSetup(testApp);
    const before = await readAllRows(maintenance, setup.tutorId);
    const { webhooks, account } = testApp.standIn;
    const read = JSON.stringify(webhooks.statuses(statusesOf(setup, 'read')));
    const stop = JSON.stringify(webhooks.message(setup.digits, 'STOP'));
    const name = 'x-hub-signature-256';
    for (const body of [read, stop]) {
      const good = webhooks.sign(body);
      const spaced = JSON.stringify(JSON.parse(body), null, 1);
      const answers = [
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
      for (const answer of answers) {
        expect(answer.status).toBe(401);
        expect(await answer.json()).toMatchObject({ code: 'unauthenticated' });
      }
    }
    expect(await readAllRows(maintenance, setup.tutorId)).toEqual(before);
    await sendOverdueReminder(testApp.house, setup);
    await waitUntilSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
    // The same texts with their own signature do what they say.
    expect((await deliver(read)).status).toBe(200);
    expect((await setup.log()).at(-1)?.state).toBe('read');
  });

  test('may be long, but not endless; what is no webhook is refused even when signed', async () => {
    const big = JSON.stringify({ entry: [], more: 'x'.repeat(1024 * 1024) });
    expect((await deliver(big)).status).toBe(200);
    const huge = JSON.stringify({ entry: [], more: 'x'.repeat(3 * 1024 * 1024) });
    expect((await deliver(huge)).status).toBe(413);
    for (const body of ['', 'no', '{}', '{"entry":5}']) {
      expect((await deliver(body)).status).toBe(400);
    }
  });
});

describe('what became of a message', () => {
  test.each([1, 2, 3, 4])(
    'copies in any order end in what came furthest (seed %i)',
    async (seed) => {
      const setup = await createConsentedSetup(testApp);
      const { webhooks } = testApp.standIn;
      const all = statusesOf(setup, 'sent', 'delivered', 'read');
      const answers = await webhooks.deliverShuffled(testApp.webhook, all, seed);
      expect(answers).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await setup.newest()).toMatchObject({ state: 'read', text: setup.first.text });
      await reportStatus(setup, 'failed');
      expect(await setup.newest()).toMatchObject({ state: 'read' });
      expect(await setup.inbox()).toEqual([]);
    },
  );

  test('[T21] all of it in one webhook, and a copy changes nothing, not even the revision', async () => {
    const setup = await createConsentedSetup(testApp);
    await reportStatus(setup, 'read', 'sent', 'delivered');
    expect(await setup.newest()).toMatchObject({ state: 'read' });
    const revision = async () => (await setup.browser.call(accounts.me)).body.revision;
    const before = await revision();
    await reportStatus(setup, 'delivered', 'read');
    expect(await revision()).toBe(before);
  });

  test('failed after it was taken: in the tray again, told once, however often it is said', async () => {
    const setup = await createConsentedSetup(testApp);
    for (let copy = 0; copy < 3; copy += 1)
      expect((await reportStatus(setup, 'failed')).status).toBe(200);
    await reportStatus(setup, 'delivered');
    expect(await setup.newest()).toMatchObject({
      state: 'draft',
      sentAt: null,
      problem: expect.stringContaining('WhatsApp does not reach this number.'),
    });
    expect((await setup.newest())?.text).toContain('just reply to this message');
    expect(await setup.inbox()).toMatchObject([
      { kind: 'message_failed', text: expect.stringContaining('Ruth Hale'), requiresAction: true },
    ]);
    expect(await setup.consents()).toEqual([]);
  });

  test('failed when the lesson is over: it is too late, and no draft is made of it', async () => {
    const setup = await createConsentedSetup(testApp);
    testApp.house.clock.forward({ days: 2 });
    await reportStatus(setup, 'failed');
    expect(await setup.newest()).toMatchObject({ state: 'failed' });
    expect(await setup.tray()).toEqual([]);
  });

  test('of a message that nobody knows, or of another number of the same app, is none of ours', async () => {
    const setup = await createConsentedSetup(testApp);
    const before = await readAllRows(maintenance, setup.tutorId);
    const { webhooks } = testApp.standIn;
    const stranger = { id: 'wamid.none', to: setup.digits, reference: 'none' };
    const unknown = [
      webhooks.statuses([
        { message: stranger, status: 'read' },
        { message: stranger, status: 'failed' },
      ]),
      webhooks.statuses(statusesOf(setup, 'read'), '999'),
    ];
    for (const payload of unknown) expect((await deliver(payload)).status).toBe(200);
    expect(await readAllRows(maintenance, setup.tutorId)).toEqual(before);
    // The token of a bill names no message, though the family has the id of one.
    await maintenance.query('update messages set vendor_id = null where tutor_id = $1', [
      setup.tutorId,
    ]);
    const { payToken } = await accountOf(setup.browser, setup.familyId);
    const bill = { ...stranger, reference: payToken };
    await deliver(webhooks.statuses([{ message: bill, status: 'read' }]));
    expect(await setup.newest()).toMatchObject({ id: setup.familyId, state: 'sent' });
  });

  test('a thousand at once are applied before the answer', async () => {
    const setup = await createConsentedSetup(testApp);
    const { webhooks } = testApp.standIn;
    const strangers = Array.from({ length: 999 }, (_, at) => ({
      message: { id: `wamid.none${at}`, to: setup.digits, reference: `none${at}` },
      status: 'read' as const,
    }));
    const answer = await deliver(webhooks.statuses([...strangers, ...statusesOf(setup, 'read')]));
    expect(answer.status).toBe(200);
    expect(await setup.newest()).toMatchObject({ state: 'read' });
  });
});

describe('STOP and START', () => {
  test('STOP holds for every tutor, whatever they note, until START comes', async () => {
    const setup = await createConsentedSetup(testApp);
    const other = await createWhatsAppSetup(testApp.house, setup.phone);
    await sendLessonReminder(testApp.house, other);
    await other.agree((await other.tray())[0]?.id ?? 0);
    await waitUntilSent(other);
    expect(messagesTo(setup)).toHaveLength(2);
    expect((await sendReply(setup.digits, ' Stop! ')).status).toBe(200);
    await sendOverdueReminder(testApp.house, setup);
    await sendOverdueReminder(testApp.house, other);
    for (const each of [setup, other]) {
      await waitUntilSent(each);
      expect(await each.newest()).toMatchObject({
        state: 'skipped',
        problem: expect.stringContaining('They wrote STOP'),
      });
      expect(await each.tray()).toEqual([]);
      expect(await each.inbox()).toMatchObject([
        { text: 'Ruth Hale wrote STOP to WhatsApp reminders, so nothing goes there by itself.' },
      ]);
    }
    expect(messagesTo(setup)).toHaveLength(2);
    const third = await createWhatsAppSetup(testApp.house, setup.phone);
    await sendOverdueReminder(testApp.house, third);
    const [draft] = await third.tray();
    const refused = await third.agree(draft?.id ?? 0);
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'They wrote STOP. Only START from their phone changes that.',
    ]);
    expect(await third.consents()).toEqual([]);
    await sendReply(setup.digits, 'START');
    await third.agree(draft?.id ?? 0);
    await waitUntilSent(third);
    expect(messagesTo(setup)).toHaveLength(3);
    const { rows } = await maintenance.query('select * from whatsapp_opt_outs');
    expect(JSON.stringify(rows)).not.toContain(setup.digits);
  });

  test('the last word counts, in whatever order and however often it arrives', async () => {
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
    for (const [setup, many] of [
      [early, 2],
      [late, 1],
    ] as const) {
      await sendOverdueReminder(testApp.house, setup);
      await waitUntilSent(setup);
      expect(messagesTo(setup)).toHaveLength(many);
    }
  });

  test('anything else that people write is nobody’s to read', async () => {
    const setup = await createConsentedSetup(testApp);
    for (const text of ['Please do not stop', 'Thank you', '']) await sendReply(setup.digits, text);
    await sendOverdueReminder(testApp.house, setup);
    await waitUntilSent(setup);
    expect(messagesTo(setup)).toHaveLength(2);
  });
});

describe("another tutor's", () => {
  test('[AUTH-45] draft cannot be agreed to, and consents are neither seen nor ended', async () => {
    const theirs = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.house, theirs);
    await waitUntilSent(theirs);
    const mine = await createWhatsAppSetup(testApp.house);
    const before = await readAllRows(maintenance, theirs.tutorId);
    for (const { id } of await theirs.log()) {
      const answer = await mine.agree(id);
      expect([answer.status, answer.error.code]).toEqual([404, 'not_found']);
    }
    expect(await mine.consents()).toEqual([]);
    const body = { address: theirs.phone };
    await mine.browser.call(whatsappConsents.withdrawConsent, { body });
    expect(await readAllRows(maintenance, theirs.tutorId)).toEqual(before);
    const stranger = testApp.house.browser();
    expect((await stranger.call(whatsappConsents.listConsents)).status).toBe(401);
    expect((await stranger.call(whatsappConsents.grantConsent, { params: { id: 1 } })).status).toBe(
      401,
    );
  });

  test('[AUTH-45] consent is not mine: the same number waits in my tray', async () => {
    const theirs = await createConsentedSetup(testApp);
    const mine = await createWhatsAppSetup(testApp.house, theirs.phone);
    await sendOverdueReminder(testApp.house, mine);
    expect(await mine.tray()).toHaveLength(1);
    expect(messagesTo(theirs)).toHaveLength(1);
  });

  test('[AUTH-45] message under the same counted id stays as it was: news finds the right book', async () => {
    const theirs = await createConsentedSetup(testApp);
    const mine = await createConsentedSetup(testApp);
    const [their, my] = [await theirs.newest(), await mine.newest()];
    expect(my?.id).toBe(their?.id);
    // Their vendor's id under my name, and mine under theirs: neither is what was sent.
    const mixed = [
      { message: { ...theirs.first, reference: mine.first.reference }, status: 'read' as const },
      { message: { ...mine.first, reference: theirs.first.reference }, status: 'read' as const },
    ];
    expect((await deliver(testApp.standIn.webhooks.statuses(mixed))).status).toBe(200);
    expect([await theirs.newest(), await mine.newest()]).toEqual([their, my]);
    await reportStatus(mine, 'read');
    expect(await theirs.newest()).toEqual(their);
    expect(await mine.newest()).toMatchObject({ state: 'read' });
  });

  test('names that WhatsApp knows open no bill and stop no mail', async () => {
    const setup = await createConsentedSetup(testApp);
    await sendOverdueReminder(testApp.house, setup);
    const period = { familyId: setup.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await setup.browser.call(invoices.draftInvoice, { body: period })).body;
    await setup.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    // A family and an invoice stand under the very id of the message.
    expect([setup.familyId, draft?.id]).toEqual([1, 1]);
    expect((await setup.log()).at(-1)?.id).toBe(1);
    for (const token of [setup.first.reference, setup.first.id]) {
      const params = { token };
      const browser = testApp.house.browser();
      expect((await browser.call(publicInvoices.publicBill, { params })).status).toBe(404);
      expect((await browser.call(publicInvoices.claimTransfer, { params })).status).toBe(404);
      expect((await browser.call(messages.unsubscribe, { params })).status).toBe(404);
    }
  });
});

test('after all of it, the books hold together', async () => {
  expect(await findViolations(maintenance)).toEqual([]);
});
