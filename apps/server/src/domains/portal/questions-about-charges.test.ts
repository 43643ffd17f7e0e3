import { arrears } from '@lessonbook/contract/arrears';
import { invoices } from '@lessonbook/contract/invoices';
import { notifications } from '@lessonbook/contract/notifications';
import { payments } from '@lessonbook/contract/payments';
import { portalMoney } from '@lessonbook/contract/portal-charges-and-invoices';
import { chargeQueries, portalChargeQueries } from '@lessonbook/contract/questions-about-charges';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assertInvariants,
  createCompletedLesson,
  createPayment,
  readFamily,
  readOpenBill,
} from '../../test/payment-fixture.ts';
import {
  addSecondContact,
  createPortalFixture,
  signInToPortal,
} from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

/** Ruth owes £38 for Maya on 2 November and £35 for Leo on 3 November. */
async function createDebt() {
  const family = await createPortalFixture(app);
  // Messages are sent only for tutors who have confirmed their address.
  await app.admin.query('update login_directory set email_verified_at = now()');
  const { browser: ruth, login } = await signInToPortal(app, family.ruthEmail);
  const publicId = login.tutors[0]?.publicId as string;
  const accountId = family.maya.familyId as number;
  await createCompletedLesson(family.fixture, family.maya.id, '2026-11-02', { fee: 38 });
  await createCompletedLesson(family.fixture, family.leo.id, '2026-11-03', { fee: 35 });
  const readAccount = async () => {
    const { body } = await ruth.call(portalMoney.portalMoney, { params: { publicId } });
    return body.accounts[0] as NonNullable<(typeof body.accounts)[0]>;
  };
  const ask = (chargeId: number, message = 'Maya was ill that day.') =>
    ruth.call(portalChargeQueries.queryCharge, {
      params: { publicId, accountId },
      body: { chargeId, message },
    });
  const [maya, leo] = (await readAccount()).charges;
  return {
    ...family,
    ruth,
    publicId,
    accountId,
    readAccount,
    ask,
    mayaCharge: maya?.id as number,
    leoCharge: leo?.id as number,
  };
}

describe('a queried charge', () => {
  test('is left out of the amount due until the tutor answers, and is due again if the tutor keeps it', async () => {
    const { browser, accountId, ask, readAccount, mayaCharge, publicId, ruth } = await createDebt();
    const asked = await ask(mayaCharge);
    expect(asked.status).toBe(200);
    const account = await readAccount();
    expect(account.balances).toEqual([{ currency: 'GBP', owed: 3500, credit: 0 }]);
    expect(account.charges.map(({ studentName }) => studentName)).toEqual(['Leo']);
    expect(account.onHold).toEqual([{ currency: 'GBP', amount: 3800, reason: 'query' }]);
    expect(account.queries).toMatchObject([
      { status: 'open', studentName: 'Maya', isOwn: true, message: 'Maya was ill that day.' },
    ]);
    // The payment page and the tutor's list show the same amounts.
    const { payToken, due } = await readFamily(browser, accountId);
    expect(await readOpenBill(browser, payToken)).toMatchObject({
      amounts: [{ currency: 'GBP', due: 3500 }],
      onHold: [{ reason: 'query', amount: 3800 }],
    });
    expect(due).toMatchObject([{ overdue: 3500 }]);
    const inbox = await browser.call(notifications.listNotifications, { query: {} });
    expect(inbox.body.open.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "charge_queried: Ruth has a question about the charge for Maya's Maths lesson on Mon 2 Nov. They won't be asked to pay it until you've answered.",
    ]);
    const { body: open } = await browser.call(chargeQueries.listChargeQueries, {
      params: { id: accountId },
    });
    expect(open).toMatchObject([
      { contactName: 'Ruth Hale', outstanding: 3800, message: 'Maya was ill that day.' },
    ]);
    const answered = await browser.call(chargeQueries.answerChargeQuery, {
      params: { id: asked.body.id },
      body: { isOwed: true, answer: 'I only found out at the door.' },
    });
    expect(answered.status).toBe(200);
    expect((await readAccount()).balances).toEqual([{ currency: 'GBP', owed: 7300, credit: 0 }]);
    expect((await readAccount()).queries).toMatchObject([
      { status: 'answered', isOwed: true, answer: 'I only found out at the door.' },
    ]);
    const mail = await app.mailbox.waitFor(({ subject }) => subject.startsWith('Your question'));
    expect(mail.subject).toBe("Your question about Maya's Maths lesson on Mon 2 Nov");
    expect(mail.text).toContain("I've checked, and the charge is correct.");
    expect(mail.text).toContain('I only found out at the door.');
    expect((await browser.call(notifications.listNotifications, { query: {} })).body.open).toEqual(
      [],
    );
    const again = { params: { id: asked.body.id }, body: { isOwed: false } };
    expect((await browser.call(chargeQueries.answerChargeQuery, again)).status).toBe(409);
    expect((await ruth.call(portalMoney.portalMoney, { params: { publicId } })).status).toBe(200);
    await assertInvariants(app);
  });

  test('is credited if the tutor removes it, with a credit note if it is on an invoice', async () => {
    const { browser, accountId, ask, readAccount, mayaCharge, leoCharge } = await createDebt();
    const period = { familyId: accountId, from: '2026-11-03', to: '2026-11-03' };
    const draft = await browser.call(invoices.draftInvoice, { body: period });
    const invoiceId = draft.body[0]?.id as number;
    await browser.call(invoices.issueInvoices, { body: { ids: [invoiceId] } });
    const remove = (id: number) =>
      browser.call(chargeQueries.answerChargeQuery, { params: { id }, body: { isOwed: false } });
    await remove((await ask(mayaCharge)).body.id);
    const asked = await ask(leoCharge);
    expect(
      (await browser.call(invoices.invoice, { params: { id: invoiceId } })).body,
    ).toMatchObject({ state: 'on_hold', holdReason: 'query', onHold: 3500 });
    await remove(asked.body.id);
    const account = await readAccount();
    expect(account.balances).toEqual([]);
    expect(account.onHold).toEqual([]);
    const { body: invoice } = await browser.call(invoices.invoice, { params: { id: invoiceId } });
    expect(invoice.creditNotes).toMatchObject([{ total: 3500 }]);
    await assertInvariants(app);
  });

  test('is credited in full if the tutor removes it after writing off part of it', async () => {
    const { browser, accountId: id, ask, readAccount, mayaCharge } = await createDebt();
    const payment = await createPayment(browser, id, 1000, { chargeIds: [mayaCharge] });
    const currency = 'GBP' as const;
    const writeOff = { chargeIds: [mayaCharge], currency, amount: 2800, reason: '' };
    await browser.call(arrears.writeOff, { params: { id }, body: writeOff });
    await browser.call(payments.reversePayment, { params: { id: payment.id } });
    expect((await readAccount()).balances).toMatchObject([{ owed: 4500 }]);
    const params = { id: (await ask(mayaCharge)).body.id };
    await browser.call(chargeQueries.answerChargeQuery, { params, body: { isOwed: false } });
    expect((await readAccount()).balances).toMatchObject([{ owed: 3500 }]);
    await assertInvariants(app);
  });

  test('is paid last, so that a payment of the amount due settles the other charges', async () => {
    const { browser, accountId, ask, readAccount, mayaCharge } = await createDebt();
    await ask(mayaCharge);
    await createPayment(browser, accountId, 3500);
    const account = await readAccount();
    expect(account.balances).toEqual([{ currency: 'GBP', owed: 0, credit: 0 }]);
    expect(account.onHold).toMatchObject([{ amount: 3800 }]);
    await assertInvariants(app);
  });

  test('can be asked about only once, even by 10 concurrent requests, and again after the question is withdrawn', async () => {
    const { ruth, publicId, accountId, ask, readAccount, mayaCharge } = await createDebt();
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(mayaCharge)));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const id = replies.find(({ status }) => status === 200)?.body.id as number;
    const params = { publicId, accountId, id };
    for (let time = 0; time < 2; time += 1)
      expect((await ruth.call(portalChargeQueries.withdrawChargeQuery, { params })).status).toBe(
        200,
      );
    expect((await readAccount()).queries).toEqual([]);
    expect((await readAccount()).balances).toMatchObject([{ owed: 7300 }]);
    expect((await ask(mayaCharge)).status).toBe(200);
  });
});

test('no one else can ask a question, or withdraw, read or answer one', async () => {
  const { browser, ask, mayaCharge, maya, leo, accountId, tomEmail } = await createDebt();
  const other = await createDebt();
  const { body } = await ask(mayaCharge, "Ruth's question");
  const { browser: tom, login } = await signInToPortal(app, tomEmail);
  const tomId = login.tutors[0]?.publicId as string;
  const tomAccount = (await tom.call(portalMoney.portalMoney, { params: { publicId: tomId } })).body
    .accounts[0]?.id as number;
  const input = { chargeId: mayaCharge, message: 'Not mine' };
  for (const [id, expected] of [
    [accountId, 404],
    [tomAccount, 409],
  ] as const)
    expect(
      (
        await tom.call(portalChargeQueries.queryCharge, {
          params: { publicId: tomId, accountId: id },
          body: input,
        })
      ).status,
    ).toBe(expected);
  for (const id of [accountId, tomAccount])
    expect(
      (
        await tom.call(portalChargeQueries.withdrawChargeQuery, {
          params: { publicId: tomId, accountId: id, id: body.id },
        })
      ).status,
    ).toBe(404);
  // An aunt who may see the account sees that there is a question, but not its text.
  const email = 'mayas-aunt@families.example';
  const aunt = await addSecondContact(browser, maya.id, { email, access: { seesMoney: true } });
  await app.admin.query(
    `insert into contact_access select tutor_id, contact_id, $2, sees_lessons, sees_place, sees_notes, sees_money, may_cancel, may_ask
     from contact_access where contact_id = $1 and student_id = $3 and sees_money
       and tutor_id = (select tutor_id from charge_queries where message = 'Ruth''s question')`,
    [aunt, leo.id, maya.id],
  );
  const { browser: auntBrowser, login: auntLogin } = await signInToPortal(app, email);
  const auntId = auntLogin.tutors[0]?.publicId as string;
  const money = await auntBrowser.call(portalMoney.portalMoney, { params: { publicId: auntId } });
  expect(money.body.accounts[0]?.queries).toMatchObject([
    { status: 'open', isOwn: false, message: null },
  ]);
  const params = { publicId: auntId, accountId, id: body.id };
  expect((await auntBrowser.call(portalChargeQueries.withdrawChargeQuery, { params })).status).toBe(
    404,
  );
  const answer = { params: { id: body.id }, body: { isOwed: false } };
  expect((await other.browser.call(chargeQueries.answerChargeQuery, answer)).status).toBe(404);
});
