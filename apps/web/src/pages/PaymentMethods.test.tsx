import type { StripeConnectStatus } from '@lessonbook/contract/card-payments';
import { STRIPE_NOT_READY_MESSAGE } from '@lessonbook/contract/card-payments';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { hasUnsavedChanges } from '../lib/unsaved-changes.ts';
import { json, mockApi, neverReplies } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const STATUS = 'GET /api/stripe-connect/status';
const CONNECT = 'POST /api/stripe-connect/create-account';
const GET = 'GET /api/payment-methods/default';
const PUT = 'PUT /api/payment-methods/default';
const STRIPE_URL = 'https://connect.stripe.example/setup/e/1';

const NONE: StripeConnectStatus = {
  connected: false,
  onboardingComplete: false,
  payoutsEnabled: false,
};
const READY: StripeConnectStatus = {
  connected: true,
  onboardingComplete: true,
  payoutsEnabled: true,
};

interface Options {
  status?: StripeConnectStatus;
  saved?: 'manual' | 'stripe';
  search?: string;
  handlers?: Parameters<typeof mockApi>[0];
}

async function openMethods({
  status = NONE,
  saved = 'stripe',
  search = '',
  handlers = {},
}: Options = {}) {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
    [GET]: () => json(200, { defaultPaymentMethod: saved, sendsReceipts: true }),
    [STATUS]: () => json(200, status),
    [CONNECT]: () => json(200, { url: STRIPE_URL }),
    [PUT]: ({ body }) =>
      server.saved(GET, {
        defaultPaymentMethod: (body as { paymentMethod: string }).paymentMethod,
        sendsReceipts: true,
      }),
    ...handlers,
  });
  const app = renderApp(`/payment-methods${search}`);
  await screen.findByRole('heading', { name: 'Payment Methods' });
  return { ...app, server, assign };
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
])('[PAYM-06..11] for status %o the button is %s', async (status, next, lines) => {
  await openMethods({ status });
  const region = within(await account());
  const items = await region.findAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual(lines);
  expect(region.getAllByRole('button').map((button) => button.textContent)).toEqual([next]);
});

test('without a Stripe account, its section is shown only when Stripe is selected', async () => {
  const { user } = await openMethods({ saved: 'manual' });
  expect((await radio('Manual Payments')).checked).toBe(true);
  expect(screen.queryByRole('region', { name: 'Stripe account' })).toBeNull();
  await user.click(await radio('Stripe Payments'));
  await account();
  await user.click(await radio('Manual Payments'));
  expect(screen.queryByRole('region', { name: 'Stripe account' })).toBeNull();
});

test('connecting redirects to Stripe and stays busy until the tutor leaves the page', async () => {
  const { user, assign } = await openMethods();
  await user.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(STRIPE_URL));
  const busy = screen.getByRole('button', { name: 'Opening Stripe...' });
  expect(busy.hasAttribute('disabled')).toBe(true);
  // Going back restores the page from the browser's cache.
  act(() => void window.dispatchEvent(new Event('pageshow')));
  expect(await screen.findByRole('button', { name: 'Connect with Stripe' })).toBeTruthy();
});

test('Manage Account opens a new tab, or redirects if the browser blocks it', async () => {
  const { user, assign } = await openMethods({ status: READY });
  const tab = { opener: window, location: { replace: vi.fn<(url: string) => void>() } };
  const open = vi.spyOn(window, 'open').mockReturnValueOnce(tab as unknown as Window);
  await user.click(await screen.findByRole('button', { name: 'Manage Account' }));
  await vi.waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(STRIPE_URL));
  expect(assign).not.toHaveBeenCalled();
  open.mockReturnValueOnce(null);
  await user.click(await screen.findByRole('button', { name: 'Manage Account' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(STRIPE_URL));
});

test.each([
  ['server error', 500, {}],
  ['Stripe not configured', 503, { message: 'Card payments are not set up on this server.' }],
])('[ERR-30] a failed connection shows an error: %s', async (_, status, body) => {
  const { user, assign } = await openMethods({ handlers: { [CONNECT]: () => json(status, body) } });
  await user.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
  expect(await screen.findByText('Failed to connect to Stripe. Please try again.')).toBeTruthy();
  expect(assign).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Connect with Stripe' })).toBeTruthy();
});

test("the demo account shows the server's message", async () => {
  const message = "The demo can't be connected to Stripe.";
  const { user } = await openMethods({ handlers: { [CONNECT]: () => json(403, { message }) } });
  await user.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
  expect(await screen.findByText(message)).toBeTruthy();
});

test('[TOAST-14..16] saving the choice shows a toast', async () => {
  const { user, server } = await openMethods({ status: READY, saved: 'manual' });
  await user.click(await radio('Stripe Payments'));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Payment Method Updated')).toBeTruthy();
  expect(screen.getByText('Default payment method set to Stripe Payments')).toBeTruthy();
  expect(server.last(PUT)?.body).toEqual({ paymentMethod: 'stripe', sendsReceipts: true });
  await user.click(await radio('Manual Payments'));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Default payment method set to Manual Payments')).toBeTruthy();
});

test('[ERR-31] selecting Stripe before it is ready is rejected, and the status is refetched', async () => {
  const { user, server } = await openMethods({
    saved: 'manual',
    handlers: { [PUT]: () => json(409, { message: STRIPE_NOT_READY_MESSAGE }) },
  });
  await user.click(await radio('Stripe Payments'));
  const before = server.count(STATUS);
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Action Required')).toBeTruthy();
  expect(screen.getByText(STRIPE_NOT_READY_MESSAGE)).toBeTruthy();
  await vi.waitFor(() => expect(server.count(STATUS)).toBe(before + 1));
  expect(screen.getByText("Your changes weren't saved.")).toBeTruthy();
});

test('[ERR-32] a failed save shows an error', async () => {
  const { user } = await openMethods({ handlers: { [PUT]: () => json(500, { message: 'No' }) } });
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
  const errorText = 'Failed to update payment method. Please try again.';
  expect(await screen.findByText(errorText)).toBeTruthy();
});

test('[PAYM-14..16] F80 returning from Stripe clears the URL, refetches the status and offers card payments', async () => {
  const {
    user,
    server,
    search: currentSearch,
  } = await openMethods({ saved: 'manual', status: READY, search: '?stripe=success' });
  expect(await screen.findByText('Your Stripe account is ready.')).toBeTruthy();
  expect((await radio('Stripe Payments')).checked).toBe(true);
  await vi.waitFor(() => expect(currentSearch()).toEqual({}));
  expect(server.count(STATUS)).toBe(1);
  expect(await screen.findByText('Onboarding complete')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Accept card payments' }));
  // [TOAST-13]
  expect(await screen.findByText(CONNECTED_TOAST)).toBeTruthy();
  expect(server.last(PUT)?.body).toEqual({ paymentMethod: 'stripe', sendsReceipts: true });
  expect(screen.queryByRole('button', { name: 'Accept card payments' })).toBeNull();
});

const CONNECTED_TOAST =
  'Stripe Connect account connected successfully! You can now receive payments directly.';

test('F60 the tutor is still warned about unsaved changes after a failed redirect to Stripe', async () => {
  const { user } = await openMethods({
    saved: 'manual',
    handlers: { [CONNECT]: () => json(500, {}) },
  });
  await user.click(await radio('Stripe Payments'));
  await user.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
  expect(await screen.findByText(/^Failed to connect to Stripe/)).toBeTruthy();
  expect(hasUnsavedChanges()).toBe(true);
});

test('F60 the tutor is no longer warned about unsaved changes once card payments have been turned on', async () => {
  const { user } = await openMethods({ saved: 'manual', status: READY });
  await user.click(await radio('Stripe Payments'));
  await vi.waitFor(() => expect(hasUnsavedChanges()).toBe(true));
  await user.click(await screen.findByRole('button', { name: 'Accept card payments' }));
  expect(await screen.findByText(CONNECTED_TOAST)).toBeTruthy();
  expect(hasUnsavedChanges()).toBe(false);
});

test('[TOAST-13] F80 the toast for a connected account is shown if card payments are on', async () => {
  await openMethods({ status: READY, search: '?stripe=success' });
  expect(await screen.findByText(CONNECTED_TOAST)).toBeTruthy();
});

test('F80 incomplete onboarding is not reported as connected', async () => {
  const status = { ...NONE, connected: true };
  await openMethods({ saved: 'manual', status, search: '?stripe=success' });
  expect(await screen.findByText(/^Stripe still needs something from you, so/)).toBeTruthy();
  expect(screen.queryByText(CONNECTED_TOAST)).toBeNull();
});

test('F80 the status of a connected account is shown after a reload, even if card payments are off', async () => {
  await openMethods({ saved: 'manual', status: READY });
  expect(await screen.findByText('Onboarding complete')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Accept card payments' })).toBeTruthy();
});

test('[PAYM-17..19] an expired link shows a toast and redirects again after two seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const {
    server,
    search: currentSearch,
    assign,
  } = await openMethods({
    saved: 'manual',
    search: '?stripe=refresh',
  });
  expect(await screen.findByText('Action Required')).toBeTruthy();
  await vi.waitFor(() => expect(currentSearch()).toEqual({}));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.count(CONNECT)).toBe(0);
  await vi.advanceTimersByTimeAsync(600);
  expect(server.count(CONNECT)).toBe(1);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(STRIPE_URL));
});

test('leaving the page within the two seconds cancels the redirect', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server } = await openMethods({ search: '?stripe=refresh' });
  await screen.findByText('Action Required');
  await act(async () => screen.getByRole('link', { name: 'Back to settings' }).click());
  await screen.findByRole('heading', { name: 'Settings' });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.count(CONNECT)).toBe(0);
});

test('loading and failure are shown differently', async () => {
  const { user, server } = await openMethods({ handlers: { [GET]: () => json(500, {}) } });
  server.handlers[GET] = () => json(200, { defaultPaymentMethod: 'stripe', sendsReceipts: true });
  server.handlers[STATUS] = () => json(500, {});
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  const region = within(await account());
  const retry = await region.findByRole('button', { name: 'Try again' });
  server.handlers[STATUS] = neverReplies;
  await user.click(retry);
  expect(await region.findByRole('status', { name: 'Loading' })).toBeTruthy();
});
