import { accounts } from '@lessonbook/contract/accounts';
import { bills } from '@lessonbook/contract/bills';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { whatsapp } from '@lessonbook/contract/whatsapp';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findFaults } from '../../invariants.ts';
import { account as accountOf } from '../../test/money.ts';
import { everythingOf } from '../../test/tenants.ts';
import {
  chase,
  openAgreedBook,
  openWhatsAppBook,
  openWhatsAppHouse,
  remindOfLesson,
  settled,
  type WhatsAppHouse,
} from '../../test/whatsapp.ts';

let place: WhatsAppHouse;
let maintenance: pg.Client;
beforeAll(async () => {
  place = await openWhatsAppHouse();
  maintenance = new pg.Client(place.house.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await place.close();
});
afterEach(() => place.house.restartClock());

type AgreedBook = Awaited<ReturnType<typeof openAgreedBook>>;
type Status = 'sent' | 'delivered' | 'read' | 'failed';

const about = ({ first }: AgreedBook, ...statuses: Status[]) =>
  statuses.map((status) => ({ message: first, status }));
const deliver = (payload: object | string, secret?: string) =>
  place.standIn.webhooks.deliver(place.webhook, payload, secret);
const tell = (book: AgreedBook, ...statuses: Status[]) =>
  deliver(place.standIn.webhooks.statuses(about(book, ...statuses)));
const say = (digits: string, text: string, at?: number) =>
  deliver(place.standIn.webhooks.letter(digits, text, at));
const takenBy = (book: { digits: string }) =>
  place.standIn.taken().filter((message) => message.to === book.digits);

describe('the question whether the address is ours', () => {
  test('is answered to whoever knows the word, and to nobody else', async () => {
    const { webhooks } = place.standIn;
    const good = await webhooks.verify(place.webhook);
    expect([good.status, await good.text()]).toEqual([200, '1158201444']);
    expect(good.headers.get('content-type')).toMatch(/^text\/plain/);
    for (const token of ['', 'another', `${place.standIn.account.verifyToken} `]) {
      const answer = await webhooks.verify(place.webhook, token);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'forbidden' });
    }
    expect((await webhooks.verify(place.webhook, undefined, 'unsubscribe')).status).toBe(403);
    expect((await fetch(place.webhook)).status).toBe(400);
  });
});

describe('a webhook that WhatsApp did not sign', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(place.webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  test('[T21] is refused, and nothing changes: no signature, another secret, another text, written anew', async () => {
    const book = await openAgreedBook(place);
    const before = await everythingOf(maintenance, book.tutorId);
    const { webhooks, account } = place.standIn;
    const read = JSON.stringify(webhooks.statuses(about(book, 'read')));
    const stop = JSON.stringify(webhooks.letter(book.digits, 'STOP'));
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
    expect(await everythingOf(maintenance, book.tutorId)).toEqual(before);
    await chase(place.house, book);
    await settled(book);
    expect(takenBy(book)).toHaveLength(2);
    // The same texts with their own signature do what they say.
    expect((await deliver(read)).status).toBe(200);
    expect((await book.log()).at(-1)?.state).toBe('read');
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
      const book = await openAgreedBook(place);
      const { webhooks } = place.standIn;
      const all = about(book, 'sent', 'delivered', 'read');
      const answers = await webhooks.deliverShuffled(place.webhook, all, seed);
      expect(answers).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await book.newest()).toMatchObject({ state: 'read', text: book.first.text });
      await tell(book, 'failed');
      expect(await book.newest()).toMatchObject({ state: 'read' });
      expect(await book.inbox()).toEqual([]);
    },
  );

  test('[T21] all of it in one webhook, and a copy changes nothing, not even the revision', async () => {
    const book = await openAgreedBook(place);
    await tell(book, 'read', 'sent', 'delivered');
    expect(await book.newest()).toMatchObject({ state: 'read' });
    const revision = async () => (await book.browser.call(accounts.me)).body.revision;
    const before = await revision();
    await tell(book, 'delivered', 'read');
    expect(await revision()).toBe(before);
  });

  test('failed after it was taken: in the tray again, told once, however often it is said', async () => {
    const book = await openAgreedBook(place);
    for (let copy = 0; copy < 3; copy += 1) expect((await tell(book, 'failed')).status).toBe(200);
    await tell(book, 'delivered');
    expect(await book.newest()).toMatchObject({
      state: 'draft',
      sentAt: null,
      problem: expect.stringContaining('WhatsApp does not reach this number.'),
    });
    expect((await book.newest())?.text).toContain('just reply to this message');
    expect(await book.inbox()).toMatchObject([
      { kind: 'message_failed', text: expect.stringContaining('Ruth Hale'), needsYou: true },
    ]);
    expect(await book.consents()).toEqual([]);
  });

  test('failed when the lesson is over: it is too late, and no draft is made of it', async () => {
    const book = await openAgreedBook(place);
    place.house.clock.forward({ days: 2 });
    await tell(book, 'failed');
    expect(await book.newest()).toMatchObject({ state: 'failed' });
    expect(await book.tray()).toEqual([]);
  });

  test('of a message that nobody knows, or of another number of the same app, is none of ours', async () => {
    const book = await openAgreedBook(place);
    const before = await everythingOf(maintenance, book.tutorId);
    const { webhooks } = place.standIn;
    const stranger = { id: 'wamid.none', to: book.digits, reference: 'none' };
    const unknown = [
      webhooks.statuses([
        { message: stranger, status: 'read' },
        { message: stranger, status: 'failed' },
      ]),
      webhooks.statuses(about(book, 'read'), '999'),
    ];
    for (const payload of unknown) expect((await deliver(payload)).status).toBe(200);
    expect(await everythingOf(maintenance, book.tutorId)).toEqual(before);
    // The token of a bill names no message, though the family has the id of one.
    await maintenance.query('update messages set vendor_id = null where tutor_id = $1', [
      book.tutorId,
    ]);
    const { payToken } = await accountOf(book.browser, book.familyId);
    const bill = { ...stranger, reference: payToken };
    await deliver(webhooks.statuses([{ message: bill, status: 'read' }]));
    expect(await book.newest()).toMatchObject({ id: book.familyId, state: 'sent' });
  });

  test('a thousand at once are applied before the answer', async () => {
    const book = await openAgreedBook(place);
    const { webhooks } = place.standIn;
    const strangers = Array.from({ length: 999 }, (_, at) => ({
      message: { id: `wamid.none${at}`, to: book.digits, reference: `none${at}` },
      status: 'read' as const,
    }));
    const answer = await deliver(webhooks.statuses([...strangers, ...about(book, 'read')]));
    expect(answer.status).toBe(200);
    expect(await book.newest()).toMatchObject({ state: 'read' });
  });
});

describe('STOP and START', () => {
  test('STOP holds for every tutor, whatever they note, until START comes', async () => {
    const book = await openAgreedBook(place);
    const other = await openWhatsAppBook(place.house, book.phone);
    await remindOfLesson(place.house, other);
    await other.agree((await other.tray())[0]?.id ?? 0);
    await settled(other);
    expect(takenBy(book)).toHaveLength(2);
    expect((await say(book.digits, ' Stop! ')).status).toBe(200);
    await chase(place.house, book);
    await chase(place.house, other);
    for (const each of [book, other]) {
      await settled(each);
      expect(await each.newest()).toMatchObject({
        state: 'skipped',
        problem: expect.stringContaining('They wrote STOP'),
      });
      expect(await each.tray()).toEqual([]);
      expect(await each.inbox()).toMatchObject([
        { text: 'Ruth Hale wrote STOP to WhatsApp reminders, so nothing goes there by itself.' },
      ]);
    }
    expect(takenBy(book)).toHaveLength(2);
    const third = await openWhatsAppBook(place.house, book.phone);
    await chase(place.house, third);
    const [draft] = await third.tray();
    const refused = await third.agree(draft?.id ?? 0);
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'They wrote STOP. Only START from their phone changes that.',
    ]);
    expect(await third.consents()).toEqual([]);
    await say(book.digits, 'START');
    await third.agree(draft?.id ?? 0);
    await settled(third);
    expect(takenBy(book)).toHaveLength(3);
    const { rows } = await maintenance.query('select * from whatsapp_opt_outs');
    expect(JSON.stringify(rows)).not.toContain(book.digits);
  });

  test('the last word counts, in whatever order and however often it arrives', async () => {
    const at = 1_794_900_000;
    const [early, late] = [await openAgreedBook(place), await openAgreedBook(place)];
    await say(early.digits, 'start', at + 60);
    await say(early.digits, 'STOPP', at);
    await say(early.digits, 'STOPP', at);
    await say(late.digits, 'unsubscribe', at + 60);
    await say(late.digits, 'START', at);
    for (const [book, many] of [
      [early, 2],
      [late, 1],
    ] as const) {
      await chase(place.house, book);
      await settled(book);
      expect(takenBy(book)).toHaveLength(many);
    }
  });

  test('anything else that people write is nobody’s to read', async () => {
    const book = await openAgreedBook(place);
    for (const text of ['Please do not stop', 'Thank you', '']) await say(book.digits, text);
    await chase(place.house, book);
    await settled(book);
    expect(takenBy(book)).toHaveLength(2);
  });
});

describe("another tutor's", () => {
  test('[AUTH-45] draft cannot be agreed to, and consents are neither seen nor ended', async () => {
    const theirs = await openAgreedBook(place);
    await chase(place.house, theirs);
    await settled(theirs);
    const mine = await openWhatsAppBook(place.house);
    const before = await everythingOf(maintenance, theirs.tutorId);
    for (const { id } of await theirs.log()) {
      const answer = await mine.agree(id);
      expect([answer.status, answer.error.code]).toEqual([404, 'not_found']);
    }
    expect(await mine.consents()).toEqual([]);
    const body = { address: theirs.phone };
    await mine.browser.call(whatsapp.withdrawConsent, { body });
    expect(await everythingOf(maintenance, theirs.tutorId)).toEqual(before);
    const stranger = place.house.browser();
    expect((await stranger.call(whatsapp.listConsents)).status).toBe(401);
    expect((await stranger.call(whatsapp.giveConsent, { params: { id: 1 } })).status).toBe(401);
  });

  test('[AUTH-45] consent is not mine: the same number waits in my tray', async () => {
    const theirs = await openAgreedBook(place);
    const mine = await openWhatsAppBook(place.house, theirs.phone);
    await chase(place.house, mine);
    expect(await mine.tray()).toHaveLength(1);
    expect(takenBy(theirs)).toHaveLength(1);
  });

  test('[AUTH-45] message under the same counted id stays as it was: news finds the right book', async () => {
    const theirs = await openAgreedBook(place);
    const mine = await openAgreedBook(place);
    const [their, my] = [await theirs.newest(), await mine.newest()];
    expect(my?.id).toBe(their?.id);
    // Their vendor's id under my name, and mine under theirs: neither is what was sent.
    const mixed = [
      { message: { ...theirs.first, reference: mine.first.reference }, status: 'read' as const },
      { message: { ...mine.first, reference: theirs.first.reference }, status: 'read' as const },
    ];
    expect((await deliver(place.standIn.webhooks.statuses(mixed))).status).toBe(200);
    expect([await theirs.newest(), await mine.newest()]).toEqual([their, my]);
    await tell(mine, 'read');
    expect(await theirs.newest()).toEqual(their);
    expect(await mine.newest()).toMatchObject({ state: 'read' });
  });

  test('names that WhatsApp knows open no bill and stop no mail', async () => {
    const book = await openAgreedBook(place);
    await chase(place.house, book);
    const period = { familyId: book.familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await book.browser.call(invoices.draftInvoice, { body: period })).body;
    await book.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    // A family and an invoice stand under the very id of the message.
    expect([book.familyId, draft?.id]).toEqual([1, 1]);
    expect((await book.log()).at(-1)?.id).toBe(1);
    for (const token of [book.first.reference, book.first.id]) {
      const params = { token };
      const browser = place.house.browser();
      expect((await browser.call(bills.publicBill, { params })).status).toBe(404);
      expect((await browser.call(bills.claimTransfer, { params })).status).toBe(404);
      expect((await browser.call(messages.unsubscribe, { params })).status).toBe(404);
    }
  });
});

test('after all of it, the books hold together', async () => {
  expect(await findFaults(maintenance)).toEqual([]);
});
