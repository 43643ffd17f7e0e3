import type { CardStatus } from '@lessonbook/contract/cards';
import { CARD_NOT_READY } from '@lessonbook/contract/cards';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi, neverReplies } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const STATUS = 'GET /api/stripe-connect/status';
const CONNECT = 'POST /api/stripe-connect/create-account';
const GET = 'GET /api/payment-methods/default';
const PUT = 'PUT /api/payment-methods/default';
const AT_STRIPE = 'https://connect.stripe.example/setup/e/1';

const NONE: CardStatus = { connected: false, onboardingComplete: false, payoutsEnabled: false };
const READY: CardStatus = { connected: true, onboardingComplete: true, payoutsEnabled: true };

interface Book {
  status?: CardStatus;
  saved?: 'manual' | 'stripe';
  address?: string;
  answers?: Parameters<typeof mockApi>[0];
}

async function openMethods({
  status = NONE,
  saved = 'stripe',
  address = '',
  answers = {},
}: Book = {}) {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
    [GET]: () => json(200, { defaultPaymentMethod: saved }),
    [STATUS]: () => json(200, status),
    [CONNECT]: () => json(200, { url: AT_STRIPE }),
    [PUT]: ({ body }) =>
      json(200, { defaultPaymentMethod: (body as { paymentMethod: string }).paymentMethod }),
    ...answers,
  });
  const app = renderApp(`/payment-methods${address}`);
  await screen.findByRole('heading', { name: 'Payment Methods' });
  return { ...app, server, leave };
}

const account = () => screen.findByRole('region', { name: 'Stripe account' });
const radio = (name: string) => screen.findByRole<HTMLInputElement>('radio', { name });

test.each([
  [NONE, 'Connect with Stripe', ['Not connected', 'Onboarding incomplete', 'Payouts disabled']],
  [
    { ...NONE, connected: true },
    'Complete Onboarding',
    ['Connected', 'Onboarding incomplete', 'Payouts disabled'],
  ],
  [
    { ...READY, payoutsEnabled: false },
    'Manage Account',
    ['Connected', 'Onboarding complete', 'Payouts disabled'],
  ],
  [READY, 'Manage Account', ['Connected', 'Onboarding complete', 'Payouts enabled']],
])('[PAYM-06..11] what Stripe says is %o, and the button is %s', async (status, next, lines) => {
  await openMethods({ status });
  const region = within(await account());
  const items = await region.findAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual(lines);
  expect(region.getAllByRole('button').map((button) => button.textContent)).toEqual([next]);
});

test('the account shows when cards are chosen and not otherwise', async () => {
  const { user } = await openMethods({ saved: 'manual' });
  expect((await radio('Manual Payments')).checked).toBe(true);
  expect(screen.queryByRole('region', { name: 'Stripe account' })).toBeNull();
  await user.click(await radio('Stripe Payments'));
  await account();
  await user.click(await radio('Manual Payments'));
  expect(screen.queryByRole('region', { name: 'Stripe account' })).toBeNull();
});

test('connecting leads to Stripe in this window, and is busy until it is gone', async () => {
  const { user, leave } = await openMethods();
  await user.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(AT_STRIPE));
  const busy = screen.getByRole('button', { name: 'Opening Stripe...' });
  expect(busy.hasAttribute('disabled')).toBe(true);
  // The browser's own Back shows the page as it was left.
  act(() => void window.dispatchEvent(new Event('pageshow')));
  expect(await screen.findByRole('button', { name: 'Connect with Stripe' })).toBeTruthy();
});

test("the tutor's own pages at Stripe open beside this one, where the browser allows it", async () => {
  const { user, leave } = await openMethods({ status: READY });
  const tab = { opener: window, location: { replace: vi.fn<(url: string) => void>() } };
  const open = vi.spyOn(window, 'open').mockReturnValueOnce(tab as unknown as Window);
  await user.click(await screen.findByRole('button', { name: 'Manage Account' }));
  await vi.waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(AT_STRIPE));
  expect(leave).not.toHaveBeenCalled();
  open.mockReturnValueOnce(null);
  await user.click(await screen.findByRole('button', { name: 'Manage Account' }));
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(AT_STRIPE));
});

test.each([
  ['no server', 500, {}],
  ['no Stripe', 503, { message: 'Card payments are not set up on this server.' }],
])('[ERR-30] connecting that fails says so: %s', async (_, status, body) => {
  const { user, leave } = await openMethods({ answers: { [CONNECT]: () => json(status, body) } });
  await user.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
  expect(await screen.findByText('Failed to connect to Stripe. Please try again.')).toBeTruthy();
  expect(leave).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Connect with Stripe' })).toBeTruthy();
});

test('the demo is told that another try will not help', async () => {
  const message = 'The demo cannot be connected to Stripe.';
  const { user } = await openMethods({ answers: { [CONNECT]: () => json(403, { message }) } });
  await user.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
  expect(await screen.findByText(message)).toBeTruthy();
});

test('[TOAST-14..16] the choice is saved, and said', async () => {
  const { user, server } = await openMethods({ status: READY, saved: 'manual' });
  await user.click(await radio('Stripe Payments'));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Payment Method Updated')).toBeTruthy();
  expect(screen.getByText('Default payment method set to Stripe Payments')).toBeTruthy();
  expect(server.last(PUT)?.body).toEqual({ paymentMethod: 'stripe' });
  await user.click(await radio('Manual Payments'));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Default payment method set to Manual Payments')).toBeTruthy();
});

test('[ERR-31] cards that are not ready are refused, and the account is looked at again', async () => {
  const { user, server } = await openMethods({
    saved: 'manual',
    answers: { [PUT]: () => json(409, { message: CARD_NOT_READY }) },
  });
  await user.click(await radio('Stripe Payments'));
  const before = server.count(STATUS);
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Action Required')).toBeTruthy();
  expect(screen.getByText(CARD_NOT_READY)).toBeTruthy();
  await vi.waitFor(() => expect(server.count(STATUS)).toBe(before + 1));
  expect(screen.getByText('Not saved.')).toBeTruthy();
});

test('[ERR-32] a choice that cannot be saved says so', async () => {
  const { user } = await openMethods({ answers: { [PUT]: () => json(500, { message: 'No' }) } });
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
  const words = 'Failed to update payment method. Please try again.';
  expect(await screen.findByText(words)).toBeTruthy();
});

test('[PAYM-14..16, TOAST-13] back from Stripe: said, taken out of the address, asked anew, chosen', async () => {
  const { server, search } = await openMethods({
    saved: 'manual',
    status: READY,
    address: '?stripe=success',
  });
  const words =
    'Stripe Connect account connected successfully! You can now receive payments directly.';
  expect(await screen.findByText(words)).toBeTruthy();
  expect((await radio('Stripe Payments')).checked).toBe(true);
  await vi.waitFor(() => expect(search()).toEqual({}));
  expect(server.count(STATUS)).toBe(1);
  expect(await screen.findByText('Onboarding complete')).toBeTruthy();
  // Not before it is saved
  expect(await screen.findByText(/^Stripe is ready\. Once you have saved this/)).toBeTruthy();
});

test('[PAYM-17..19] a link that ran out: said, and two seconds later the way starts anew', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server, search, leave } = await openMethods({
    saved: 'manual',
    address: '?stripe=refresh',
  });
  expect(await screen.findByText('Action Required')).toBeTruthy();
  await vi.waitFor(() => expect(search()).toEqual({}));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.count(CONNECT)).toBe(0);
  await vi.advanceTimersByTimeAsync(600);
  expect(server.count(CONNECT)).toBe(1);
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(AT_STRIPE));
});

test('whoever leaves the page within the two seconds is not dragged away', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server } = await openMethods({ address: '?stripe=refresh' });
  await screen.findByText('Action Required');
  await act(async () => screen.getByRole('link', { name: 'Back to settings' }).click());
  await screen.findByRole('heading', { name: 'Settings' });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.count(CONNECT)).toBe(0);
});

test('what is on its way and what did not come are told apart', async () => {
  const { user, server } = await openMethods({ answers: { [GET]: () => json(500, {}) } });
  server.answers[GET] = () => json(200, { defaultPaymentMethod: 'stripe' });
  server.answers[STATUS] = () => json(500, {});
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  const region = within(await account());
  const retry = await region.findByRole('button', { name: 'Try again' });
  server.answers[STATUS] = neverReplies;
  await user.click(retry);
  expect(await region.findByRole('status', { name: 'Loading' })).toBeTruthy();
});
