import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Invoice } from '@lessonbook/contract/invoices';
import { formatMoney } from '@lessonbook/contract/money';
import { remoteControl } from '@lessonbook/fakes/shared/control-http';
import type { StripeControl } from '@lessonbook/fakes/stripe/control-interface';
import type { Page } from '@playwright/test';
import { envUrl, expect, test } from '../fixtures.ts';
import { button, radio, readPdfText, tabPanel, textField } from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';
import { CARDS } from '../page-objects/stripe.ts';

const CARER_EMAIL = 'ruth.outcomes@families.example';

async function connectStripe(page: Page): Promise<void> {
  await open(page, '/payment-methods', 'Payment Methods');
  await radio(page, 'Stripe Payments').check();
  await button(page, 'Connect with Stripe').click();
  await button(page, 'Complete onboarding').click();
  await button(page, 'Accept card payments').click();
  await expect(toastWithText(page, 'connected successfully!')).toBeVisible();
}

/** Submits the card on Stripe's page. */
async function submitCard(payer: Page): Promise<void> {
  await textField(payer, 'Email').fill(CARER_EMAIL);
  await textField(payer, 'Card number').fill(CARDS.good);
  await payer.getByRole('button', { name: /^Pay £/ }).click();
}

/** What the pages, the PDF and the ledger must show after an outcome. */
interface Outcome {
  invoice: Invoice;
  payer: string | RegExp;
  /** On the tutor's page about the family. */
  tutor: string | RegExp;
  /** The newest line of the account. */
  ledger: string | RegExp;
  pdf: string;
  /** In minor units; negative for credit. */
  balance: number;
  /** What the invoice's page and PDF ask for, in minor units. */
  due: number;
}

test('payment outcomes: pages, PDF and ledger agree after a void, overpayment, credit, refund, dispute and failed debit', async ({
  page,
  browser,
  origin,
  api,
  mail,
  confirmedTutor,
}) => {
  const stripe = remoteControl(envUrl('E2E_STRIPE_URL')) as StripeControl;
  await api.useDaytimeZone(confirmedTutor);
  await connectStripe(page);
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', {
    carerName: 'Ruth Hale',
    carerEmail: CARER_EMAIL,
  });
  const { today } = await api.dashboard();
  let lessonCount = 0;
  const addLesson = () => {
    lessonCount += 1;
    const date = addDaysToDate(today, -lessonCount);
    return api.addCompletedLesson({ student: maya, subject: maths, date, start: '16:00' });
  };
  await addLesson();
  const { id: familyId } = await api.findAccount('Ruth Hale');
  const invoiceAll = () => api.issueInvoice(familyId, addDaysToDate(today, -30), today);
  const payer = await browser.newPage({ baseURL: origin, viewport: page.viewportSize() });
  await open(page, `/families/${familyId}`, 'Ruth Hale');
  const ledger = tabPanel(page, 'Account').getByRole('listitem');

  const readBalance = async (): Promise<number> => {
    const [balance] = (await api.family(familyId)).balances;
    return balance ? balance.owed - balance.credit : 0;
  };

  /** Stripe's events arrive later, so the payer's page is reloaded until it shows the outcome. */
  async function expectOutcome({ invoice, ...expected }: Outcome): Promise<void> {
    await expect.poll(readBalance).toBe(expected.balance);
    await page.reload();
    await expect(page.getByText(expected.tutor).first()).toBeVisible();
    await expect(ledger.first()).toContainText(expected.ledger);
    await expect(async () => {
      await payer.goto(`/pay/${invoice.token}`);
      await expect(payer.getByText(expected.payer).first()).toBeVisible({ timeout: 3_000 });
    }).toPass();
    const payButton = payer.getByRole('button', { name: /^Pay £/ });
    const pdf = await readPdfText(
      await (await page.request.get(`/api/invoices/${invoice.id}.pdf`)).body(),
    );
    expect(pdf).toContain(expected.pdf);
    const { due, onHold } = await api.invoice(invoice.id);
    expect(due - onHold).toBe(expected.due);
    if (expected.due === 0) return expect(payButton).toHaveCount(0);
    const amount = formatMoney(expected.due, 'GBP', 'en-GB');
    await expect(payButton).toHaveText(`Pay ${amount} by card`);
    expect(pdf).toContain(amount);
  }

  const findPayment = async (sessionId: string) =>
    (await stripe.report())
      .flatMap(({ payments }) => payments)
      .find((payment) => payment.sessionId === sessionId);

  /** Opens Stripe's page and returns the session id. */
  async function openCheckout({ token }: Invoice, amount: string): Promise<string> {
    await payer.goto(`/pay/${token}`);
    await button(payer, `Pay ${amount} by card`).click();
    await expect(payer.getByRole('button', { name: `Pay ${amount}`, exact: true })).toBeVisible();
    return new URL(payer.url()).pathname.split('/').at(-1) ?? '';
  }

  /** Returns Stripe's id of the charge. */
  async function payByCard(invoice: Invoice, amount: string): Promise<string> {
    const sessionId = await openCheckout(invoice, amount);
    await submitCard(payer);
    await expect(payer.getByText(/^Paid\. Thank you!/)).toBeVisible();
    await expect(
      payer.getByText(new RegExp(`^${amount} paid on .* by card$`)).first(),
    ).toBeVisible();
    return (await findPayment(sessionId))?.chargeId ?? '';
  }

  await test.step('F16 F71 voided while the payer is on the card page', async () => {
    const invoice = await invoiceAll();
    const sessionId = await openCheckout(invoice, '£38.00');
    await api.voidInvoice(invoice.id);
    await expect.poll(async () => (await findPayment(sessionId))?.state).toBe('expired');
    await submitCard(payer);
    await expect(payer.getByText(/expired\. You were not charged/)).toBeVisible();
    await expectOutcome({
      invoice,
      payer: 'This invoice is void. There is nothing to pay.',
      tutor: '£38 due',
      ledger: 'Maths',
      pdf: 'VOID',
      balance: 3800,
      due: 0,
    });
  });

  await test.step('F72 overpaid', async () => {
    const invoice = await invoiceAll();
    await api.recordPayment({
      familyId,
      amount: 5000,
      currency: 'GBP',
      method: 'bank_transfer',
      date: today,
      chargeIds: [],
    });
    await expectOutcome({
      invoice,
      payer: 'Nothing to pay. Thank you. Your account is £12.00 in credit.',
      tutor: '£12 in credit',
      ledger: /Payment, bank transfer.*£50/,
      pdf: 'Paid. Thank you. The account is £12.00 in credit.',
      balance: -1200,
      due: 0,
    });
  });

  await test.step('F87 credited', async () => {
    await addLesson();
    const invoice = await invoiceAll();
    expect(invoice.due).toBe(2600);
    await api.creditInvoice(invoice);
    await expectOutcome({
      invoice,
      payer: /^Credit note .* \(Lesson cancelled\)$/,
      tutor: '£12 in credit',
      ledger: /Credit note, Maths.*£38/,
      pdf: 'The account is £12.00 in credit.',
      balance: -1200,
      due: 0,
    });
  });

  await addLesson();
  const invoice = await invoiceAll();

  await test.step('F75 F77 refunded at Stripe', async () => {
    await stripe.refundFromDashboard(await payByCard(invoice, '£26.00'));
    await expectOutcome({
      invoice,
      payer: "£26.00 was refunded to you. You don't need to pay anything for now.",
      tutor: /^Ruth Hale was refunded £26 in Stripe/,
      ledger: /Refund.*£26/,
      pdf: 'Nothing to pay at the moment.',
      balance: 2600,
      due: 0,
    });
    await button(page, 'Still owed').click();
    await expect(button(page, 'Still owed')).toHaveCount(0);
    await expectOutcome({
      invoice,
      payer: '£26.00',
      tutor: '£26 due',
      ledger: /Refund.*£26/,
      pdf: 'How to pay',
      balance: 2600,
      due: 2600,
    });
  });

  await test.step('F77 disputed and won', async () => {
    const dispute = await stripe.openDispute(await payByCard(invoice, '£26.00'));
    await expectOutcome({
      invoice,
      payer:
        "Your bank is looking into your payment of £26.00. You don't need to pay anything for now.",
      tutor: /^Ruth Hale's bank disputed £26 on/,
      ledger: /Disputed payment.*£26/,
      pdf: 'Disputed with the bank',
      balance: 2600,
      due: 0,
    });
    await stripe.closeDispute(dispute, 'won');
    await expectOutcome({
      invoice,
      payer: 'Nothing to pay. Thank you.',
      tutor: 'Nothing due',
      ledger: /Disputed payment.*Reversed/,
      pdf: 'Paid. Thank you.',
      balance: 0,
      due: 0,
    });
  });

  await test.step('F76 bank debit failed', async () => {
    await addLesson();
    const last = await invoiceAll();
    const sessionId = await openCheckout(last, '£38.00');
    await button(payer, 'Pay by bank debit: fails later').click();
    await expect(payer.getByText(/Your payment is on its way/)).toBeVisible();
    await stripe.settleDebit(sessionId);
    await expectOutcome({
      invoice: last,
      payer: /^Your bank didn't complete the payment of £38\.00/,
      tutor: '£38 due',
      ledger: 'Disputed payment',
      pdf: 'How to pay',
      balance: 3800,
      due: 3800,
    });
  });
  await payer.close();

  await test.step('the tutor has a notification and the payer an email for each outcome', async () => {
    await open(page, '/notifications', 'Notifications');
    for (const text of [
      'Ruth Hale paid £26.00 by card.',
      'Ruth Hale was refunded £26.00 in Stripe. Is this amount still owed?',
      "A £26.00 card payment from Ruth Hale has been disputed. Respond in Stripe. We won't ask Ruth Hale for it in the meantime.",
      "You won the dispute over Ruth Hale's £26.00 payment. It's marked as paid again.",
      "Ruth Hale's bank payment of £38.00 didn't go through, so the amount is still owed.",
    ]) {
      await expect(page.getByText(text).first()).toBeVisible();
    }
    for (const subject of [
      /^Receipt \d+: £26\.00 received$/,
      /^Refund of £26\.00$/,
      /^Disputed payment of £26\.00$/,
      /^Your payment of £26\.00 is confirmed$/,
      /^Your payment of £38\.00 didn't go through$/,
    ]) {
      await mail.waitFor(CARER_EMAIL, subject);
    }
  });
});
