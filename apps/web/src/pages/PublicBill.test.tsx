import type { PublicBill } from '@lessonbook/contract/public-bill';
import { act, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toasts } from '../lib/toast.ts';
import { publicBill } from '../test/invoice-fixtures.ts';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderLink } from '../test/render-app.tsx';

const invoiceBill: Partial<PublicBill> = {
  kind: 'invoice',
  invoice: {
    number: '0012',
    issuedOn: '2026-11-10',
    dueOn: '2026-11-17',
    total: 11000,
    paid: 500,
    credited: 0,
    writtenOff: 0,
    creditNotes: [],
    note: 'Thank you for your trust',
  },
};

function openLink(bill: Partial<PublicBill> = {}, url = '/pay/b_abc') {
  const token = url.split(/[/?]/)[2];
  const server = mockApi({
    'GET /api/me': unauthenticated,
    [`GET /api/pay/${token}`]: () => json(200, publicBill(bill)),
  });
  return { ...renderLink(url), server };
}

test('a family sees the tutor, the amount and the lessons without logging in', async () => {
  const { pathname } = openLink();
  expect(await screen.findByRole('heading', { name: 'Payment to Ada Fenwick' })).toBeTruthy();
  expect(document.title).toBe('Payment to Ada Fenwick | Lessonbook');
  expect(screen.getAllByText('£105.00')).toHaveLength(2);
  expect(screen.getByRole('heading', { name: 'Maya' })).toBeTruthy();
  // An account shows each lesson's outstanding amount.
  expect(screen.getByText('£70.00')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Download PDF' })).toBeNull();
  expect(document.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex');
  expect(pathname()).toBe('/pay/b_abc');
});

test.each([
  ['has no heading if the payer is the student', [], false],
  ['has its own heading if there are lines for children', publicBill().lines, true],
])('a line without a child %s', async (_case, childLines, hasHeading) => {
  const own = { ...(publicBill().lines[0] as PublicBill['lines'][number]), studentName: null };
  openLink({ lines: [{ ...own, description: 'Italian lesson' }, ...childLines] });
  expect(await screen.findByText('Italian lesson')).toBeTruthy();
  expect(screen.queryAllByRole('heading', { level: 2, name: 'Other' })).toHaveLength(
    hasHeading ? 1 : 0,
  );
});

test('every bank detail can be copied, with the amount as a plain number', async () => {
  const { user } = openLink();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const copies = await screen.findAllByRole('button', { name: /^Copy, / });
  expect(copies.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Copy, Account name',
    'Copy, Sort code',
    'Copy, Account number',
    'Copy, Amount',
    'Copy, Reference',
  ]);
  await user.click(screen.getByRole('button', { name: 'Copy, Amount' }));
  expect(writeText).toHaveBeenLastCalledWith('105.00');
  expect(await screen.findByText('Copied, Amount')).toBeTruthy();
});

test('if the clipboard is blocked, a message explains how to copy the text', async () => {
  const { user } = openLink();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await user.click(await screen.findByRole('button', { name: 'Copy, Reference' }));
  expect(await screen.findByText('Press and hold the text to copy it.')).toBeTruthy();
});

test('F85 a transfer is reported after a confirmation and can be withdrawn; nothing is marked as paid', async () => {
  const { user, server } = openLink({ card: { pending: false } });
  const REPORT = 'POST /api/pay/b_abc/transferred';
  server.handlers[REPORT] = () =>
    json(200, publicBill({ card: { pending: false }, claimedOn: '2026-11-15' }));
  server.handlers['DELETE /api/pay/b_abc/transferred'] = () =>
    json(200, publicBill({ card: { pending: false } }));
  await user.click(await screen.findByRole('button', { name: "I've paid by bank transfer" }));
  expect(screen.getByText('Have you sent £105.00 to Ada Fenwick?')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Not yet' }));
  expect(server.count(REPORT)).toBe(0);
  const mainClass = screen.getByRole('button', { name: /by card$/ }).className;
  await user.click(screen.getByRole('button', { name: "I've paid by bank transfer" }));
  await user.click(screen.getByRole('button', { name: "I've sent it" }));
  expect(
    await screen.findByText(/^Thanks\. We've let Ada Fenwick know your transfer is on its way/),
  ).toBeTruthy();
  expect(screen.getAllByText('£105.00')).toHaveLength(2);
  // Paying again by card is no longer the main action.
  expect(screen.getByRole('button', { name: /by card$/ }).className).not.toBe(mainClass);
  await user.click(screen.getByRole('button', { name: "I haven't sent it yet" }));
  expect(await screen.findByRole('button', { name: "I've paid by bank transfer" })).toBeTruthy();
});

test('the reported transfer is still shown after a reload', async () => {
  openLink({ claimedOn: '2026-11-14' });
  expect(await screen.findByText(/on its way \(14 Nov 2026\)/)).toBeTruthy();
});

test('a failed report shows an error', async () => {
  const { user, server } = openLink();
  server.handlers['POST /api/pay/b_abc/transferred'] = () => json(500, {});
  await user.click(await screen.findByRole('button', { name: "I've paid by bank transfer" }));
  await user.click(screen.getByRole('button', { name: "I've sent it" }));
  await screen.findByText("We couldn't let your tutor know. Please try again.");
  expect(screen.getByRole('button', { name: "I've sent it" })).toBeTruthy();
});

test('without bank details, the page tells the family to ask the tutor', async () => {
  openLink({ bank: null });
  expect(await screen.findByText('Ask Ada Fenwick how to pay.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull();
  expect(screen.queryByRole('button', { name: "I've paid by bank transfer" })).toBeNull();
});

test('an invoice shows its number, the paid amount, its note and its PDF', async () => {
  openLink(invoiceBill, '/invoices/i_abc');
  const summary = await screen.findByText(/^Invoice 0012/);
  expect(summary.textContent).toBe('Invoice 0012, due 17 Nov 2026');
  expect(screen.getByText('Thank you for your trust')).toBeTruthy();
  const pdf = screen.getByRole('link', { name: 'Download PDF' });
  expect(pdf.getAttribute('href')).toBe('/api/pay/i_abc/pdf');
  // An invoice shows the invoiced amount.
  expect(screen.getByText('£75.00')).toBeTruthy();
});

test('F75 F72 a paid invoice keeps its lines and shows the payment, its credit notes and the credit', async () => {
  openLink(
    {
      ...invoiceBill,
      invoice: {
        ...(invoiceBill.invoice as NonNullable<PublicBill['invoice']>),
        credited: 3800,
        creditNotes: [{ number: 'CN-0001', total: 3800, reason: 'Lesson cancelled' }],
      },
      state: 'paid',
      amounts: [],
      payments: [{ amount: 14700, currency: 'GBP', date: '2026-11-16', method: 'card' }],
      credits: [{ currency: 'GBP', amount: 3800 }],
      contact: { email: 'ada@example.com', phone: null },
    },
    '/invoices/i_abc',
  );
  expect(
    await screen.findByText('Nothing to pay. Thank you. Your account is £38.00 in credit.'),
  ).toBeTruthy();
  expect(screen.getByText('£147.00 paid on 16 Nov 2026 by card')).toBeTruthy();
  expect(screen.getByText('Credit note CN-0001 (Lesson cancelled)')).toBeTruthy();
  expect(screen.getByText('Maths lesson')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'ada@example.com' })).toBeTruthy();
});

test.each([
  [
    'F77 the family is not asked to pay while a payment is disputed',
    {
      state: 'on_hold',
      amounts: [],
      onHold: [{ currency: 'GBP', amount: 4200, reason: 'dispute' }],
    },
    "Your bank is looking into your payment of £42.00. You don't need to pay anything for now.",
  ],
  [
    'F77 the family is not asked to pay again after a refund until the tutor has decided',
    {
      state: 'on_hold',
      amounts: [],
      onHold: [{ currency: 'GBP', amount: 4200, reason: 'refund' }],
    },
    "£42.00 was refunded to you. You don't need to pay anything for now.",
  ],
  [
    'F76 the page explains that the bill is unpaid because a debit failed',
    { failedPayment: { amount: 4200, currency: 'GBP', date: '2026-11-16' } },
    "Your bank didn't complete the payment of £42.00 on 16 Nov 2026, so the amount is still owed.",
  ],
] as [string, Partial<PublicBill>, string][])('%s', async (_, bill, text) => {
  openLink(bill);
  expect(await screen.findByText(text)).toBeTruthy();
});

test('F71 a payment for a void invoice is acknowledged as credit', async () => {
  mockApi({
    'GET /api/me': unauthenticated,
    'GET /api/pay/i_abc': () => json(200, { kind: 'invoice', state: 'void', number: '0012' }),
  });
  renderLink('/invoices/i_abc?card=paid');
  expect(
    await screen.findByText(
      /^Thank you for your payment\. It's been added to your account as credit/,
    ),
  ).toBeTruthy();
});

test('F87 the balance page shows the invoice and the due date of a line, and the contact details', async () => {
  const [first, second] = publicBill().lines;
  const invoice = { number: '0012', dueOn: '2026-11-24' };
  openLink({
    lines: [{ ...(first as PublicBill['lines'][number]), invoice }, second] as PublicBill['lines'],
    contact: { email: 'ada@example.com', phone: '+44 7700 900111' },
  });
  expect(await screen.findByText('Tue 3 Nov, invoice 0012, due 24 Nov 2026')).toBeTruthy();
  expect(screen.getByText('Thu 5 Nov')).toBeTruthy();
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(hrefs).toEqual(expect.arrayContaining(['mailto:ada@example.com', 'tel:+447700900111']));
});

test('F87 the totals of a credited invoice add up', async () => {
  openLink(
    {
      ...invoiceBill,
      invoice: {
        ...(invoiceBill.invoice as NonNullable<PublicBill['invoice']>),
        paid: 0,
        credited: 4000,
        creditNotes: [{ number: 'CN-0001', total: 3500, reason: null }],
      },
      amounts: [{ currency: 'GBP', due: 7000 }],
    },
    '/invoices/i_abc',
  );
  const total = (await screen.findByText('Total')).closest('ul');
  const rows = [...(total?.querySelectorAll('li') ?? [])].map((row) => row.textContent);
  expect(rows).toEqual([
    'Total£110.00',
    'Credit note CN-0001−£35.00',
    'No longer owed−£5.00',
    'To pay£70.00',
  ]);
});

test('F87 the page follows the dark mode of the device', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: query.includes('dark') }) as MediaQueryList,
  );
  openLink();
  await screen.findByRole('heading', { name: 'Payment to Ada Fenwick' });
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
});

test('a paid invoice shows no payment options', async () => {
  openLink({ ...invoiceBill, state: 'paid', amounts: [] }, '/invoices/i_abc');
  expect(await screen.findByText('Nothing to pay. Thank you.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull();
});

test('F36 a void invoice shows its number and that there is nothing to pay', async () => {
  mockApi({
    'GET /api/me': unauthenticated,
    'GET /api/pay/i_abc': () => json(200, { kind: 'invoice', state: 'void', number: '0012' }),
  });
  renderLink('/invoices/i_abc');
  expect(await screen.findByRole('heading', { name: 'Invoice 0012' })).toBeTruthy();
  expect(screen.getByText('This invoice is void. There is nothing to pay.')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('amounts in several currencies are listed separately', async () => {
  openLink({
    amounts: [
      { currency: 'GBP', due: 10500 },
      { currency: 'EUR', due: 4000 },
    ],
  });
  expect(await screen.findByRole('button', { name: 'Copy, Amount in EUR' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy, Amount in GBP' })).toBeTruthy();
});

test.each([
  [
    404,
    'This payment link is incomplete or no longer works. Please check that you copied the whole link, or ask your tutor for a new one.',
  ],
  [429, 'This page has been opened too many times. Please wait a minute and try again.'],
  [500, "We couldn't load this page."],
])('status %i shows a message', async (status, sentence) => {
  const server = mockApi({ 'GET /api/pay/b_abc': () => json(status, { message: 'No' }) });
  const { user } = renderLink('/pay/b_abc');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(sentence);
  expect(toasts.current()).toBeNull();
  const retry = screen.queryByRole('button', { name: 'Try again' });
  expect(retry === null).toBe(status === 404);
  if (!retry) return;
  server.handlers['GET /api/pay/b_abc'] = () => json(200, publicBill());
  await user.click(retry);
  expect(await screen.findByRole('heading', { name: 'Payment to Ada Fenwick' })).toBeTruthy();
});

describe('by card', () => {
  const CARD = 'POST /api/pay/b_abc/card';
  const STRIPE_URL = 'https://checkout.stripe.example/c/pay/1';
  const card = { pending: false };
  const button = () => screen.findByRole('button', { name: 'Pay £105.00 by card' });
  const mockAssign = () => vi.spyOn(window.location, 'assign').mockImplementation(() => {});

  afterEach(() => sessionStorage.clear());

  test('the card button comes first and redirects to the provider', async () => {
    const assign = mockAssign();
    const { user, server } = openLink({ card });
    server.handlers[CARD] = () => json(200, { url: STRIPE_URL });
    const buttons = (await screen.findAllByRole('button')).map((element) => element.textContent);
    expect(buttons[0]).toBe('Pay £105.00 by card');
    expect(screen.getByRole('heading', { name: 'Or pay by bank transfer' })).toBeTruthy();
    await user.click(await button());
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(STRIPE_URL));
    expect(server.last(CARD)?.body).toEqual({ currency: 'GBP' });
    expect(screen.getByRole('button', { name: 'Opening...' }).hasAttribute('disabled')).toBe(true);
    // Going back restores the page from the browser's cache.
    act(() => void window.dispatchEvent(new Event('pageshow')));
    expect((await button()).hasAttribute('disabled')).toBe(false);
  });

  test('each currency has its own button', async () => {
    mockAssign();
    const { user, server } = openLink({
      card,
      amounts: [
        { currency: 'GBP', due: 7000 },
        { currency: 'EUR', due: 4000 },
      ],
    });
    server.handlers[CARD] = () => json(200, { url: STRIPE_URL });
    await user.click(await screen.findByRole('button', { name: 'Pay €40.00 by card' }));
    await vi.waitFor(() => expect(server.last(CARD)?.body).toEqual({ currency: 'EUR' }));
    const other = screen.getByRole('button', { name: 'Pay £70.00 by card' });
    expect(other.hasAttribute('disabled')).toBe(true);
  });

  test('card payments need no bank details', async () => {
    openLink({ card, bank: null });
    await button();
    expect(screen.queryByText('Ask Ada Fenwick how to pay.')).toBeNull();
    expect(screen.queryByRole('button', { name: "I've paid by bank transfer" })).toBeNull();
  });

  test.each([
    [503, 'Card payments cannot be reached just now. Nothing was charged.'],
    [429, 'Please wait a minute.'],
  ])('an unavailable provider (%i) does not hide the bank details', async (status, message) => {
    const { user, server } = openLink({ card });
    server.handlers[CARD] = () => json(status, { message });
    await user.click(await button());
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    expect(screen.getByRole('button', { name: 'Copy, Amount' })).toBeTruthy();
    expect((await button()).hasAttribute('disabled')).toBe(false);
    expect(toasts.current()).toBeNull();
  });

  test('a network error shows a message', async () => {
    const { user } = openLink({ card });
    await user.click(await button());
    expect((await screen.findByRole('alert')).textContent).toMatch(/Nothing was charged/);
  });

  test('a bill paid in the meantime shows a message and is refetched', async () => {
    const { user, server } = openLink({ card });
    const message = 'This has already been paid. Thank you!';
    server.handlers[CARD] = () => json(409, { message });
    const pay = await button();
    server.handlers['GET /api/pay/b_abc'] = () =>
      json(200, publicBill({ card, state: 'paid', amounts: [] }));
    await user.click(pay);
    await vi.waitFor(() => expect(screen.queryByRole('button')).toBeNull());
    expect(screen.getByText(message)).toBeTruthy();
  });

  test('if card payments are disabled in the meantime, the bank details are still shown', async () => {
    const { user, server } = openLink({ card });
    const message = "Card payments aren't available at the moment. Please pay another way.";
    server.handlers[CARD] = () => json(409, { message });
    const pay = await button();
    server.handlers['GET /api/pay/b_abc'] = () => json(200, publicBill());
    await user.click(pay);
    expect(await screen.findByRole('heading', { name: 'Pay by bank transfer' })).toBeTruthy();
    expect(screen.getByText(message)).toBeTruthy();
  });

  test('on returning from the provider, the page polls until the payment is confirmed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server, search } = openLink({ card }, '/pay/b_abc?card=paid');
    await screen.findByText("Thank you. We're confirming your payment...");
    await vi.waitFor(() => expect(search()).toEqual({}));
    // No button that could lead to a second payment.
    expect(screen.queryByRole('button')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(4_100));
    expect(server.count('GET /api/pay/b_abc')).toBeGreaterThanOrEqual(3);
    server.handlers['GET /api/pay/b_abc'] = () =>
      json(200, publicBill({ card, state: 'paid', amounts: [] }));
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    expect(await screen.findByText('Paid. Thank you!')).toBeTruthy();
    const requests = server.count('GET /api/pay/b_abc');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(server.count('GET /api/pay/b_abc')).toBe(requests);
  });

  test('polling stops after a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server } = openLink({ card }, '/pay/b_abc?card=paid');
    await screen.findByText(/We're confirming/);
    await act(() => vi.advanceTimersByTimeAsync(60_100));
    expect(await screen.findByText(/Ada Fenwick will see your payment/)).toBeTruthy();
    const requests = server.count('GET /api/pay/b_abc');
    expect(requests).toBeLessThan(35);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(server.count('GET /api/pay/b_abc')).toBe(requests);
    expect(screen.queryByRole('button', { name: /by card/ })).toBeNull();
    act(() => screen.getByRole('button', { name: 'Check again' }).click());
    await screen.findByText(/We're confirming/);
  });

  test('rate-limited polling slows down, and the page stays visible', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server } = openLink({ card }, '/pay/b_abc?card=paid');
    await screen.findByText(/We're confirming/);
    server.handlers['GET /api/pay/b_abc'] = () => json(429, { message: 'No' });
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(server.count('GET /api/pay/b_abc')).toBeLessThanOrEqual(4);
    expect(screen.getByText(/We're confirming/)).toBeTruthy();
  });

  test('when one of two currencies is paid, the other can still be paid', async () => {
    sessionStorage.setItem(
      'lessonbook-checkout-b_abc',
      JSON.stringify({ currency: 'GBP', due: 7000 }),
    );
    openLink({ card, amounts: [{ currency: 'EUR', due: 4000 }] }, '/pay/b_abc?card=paid');
    expect(await screen.findByText(/^Paid\. Thank you!/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Pay €40.00 by card' })).toBeTruthy();
  });

  test('a cancelled checkout says that nothing was charged and can be repeated', async () => {
    const { search } = openLink({ card }, '/pay/b_abc?card=cancelled');
    expect(await screen.findByText('Nothing was charged.')).toBeTruthy();
    expect(await button()).toBeTruthy();
    await vi.waitFor(() => expect(search()).toEqual({}));
  });

  test('a pending payment is shown as such without payment options', async () => {
    openLink({ card: { pending: true } }, '/pay/b_abc?card=paid');
    expect(await screen.findByText(/Your payment is on its way/)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText('£105.00')).toBeTruthy();
  });
});
