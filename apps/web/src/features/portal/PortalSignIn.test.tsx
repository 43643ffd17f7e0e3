import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi, unauthenticated } from '../../test/mock-api.ts';
import { portalLessons, portalLogin } from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const CODES = 'POST /api/portal/codes';
const LOGINS = 'POST /api/portal/logins';
const EMAIL = 'ruth@families.example';

function openSignIn(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/portal/login': unauthenticated,
    'GET /api/portal/sign-in-options': () => json(200, { hasWhatsApp: false }),
    [CODES]: () => json(202, { requestId: 'request-1' }),
    [LOGINS]: () => json(201, portalLogin()),
    'GET /api/portal/tutors/c_ada_1234567/lessons': () => json(200, portalLessons()),
    ...handlers,
  });
  return { ...renderPortal(), server };
}

async function requestCode({ user }: ReturnType<typeof openSignIn>) {
  await user.type(await screen.findByLabelText('Email address'), EMAIL);
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  return screen.findByLabelText('6-digit code');
}

test('a person signs in with the code that was sent to their address', async () => {
  const page = openSignIn();
  const { user, server } = page;
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(document.title).toBe('Sign in | Lessonbook');
  const field = await requestCode(page);
  expect(server.last(CODES)?.body).toEqual({ address: EMAIL });
  expect(screen.getByRole('heading', { name: 'Enter your code' })).toBeTruthy();
  expect(screen.getByText(EMAIL)).toBeTruthy();
  expect(
    screen.getByText("If this address is on file, we've sent a code. It works for 10 minutes."),
  ).toBeTruthy();
  expect(field.getAttribute('autocomplete')).toBe('one-time-code');
  expect(field.getAttribute('inputmode')).toBe('numeric');
  expect(document.activeElement).toBe(field);
  await user.type(field, '419 302');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('heading', { name: 'Next lessons' })).toBeTruthy();
  expect(server.last(LOGINS)?.body).toEqual({
    requestId: 'request-1',
    code: '419302',
    isSharedDevice: false,
  });
  expect(sessionStorage.length).toBe(0);
});

test('with WhatsApp, a phone number can be entered', async () => {
  const page = openSignIn({
    'GET /api/portal/sign-in-options': () => json(200, { hasWhatsApp: true }),
  });
  const { user, server } = page;
  const field = await screen.findByLabelText('Email address or phone number');
  expect(
    screen.getByText(
      "Enter the email address or phone number your tutor has for you. We'll send you a code by email or WhatsApp.",
    ),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Please enter your email address or phone number',
  );
  await user.type(field, '07700 900123{Enter}');
  expect(
    await screen.findByText(
      "If this number is on file, we've sent a code by WhatsApp. It works for 10 minutes.",
    ),
  ).toBeTruthy();
  expect(server.last(CODES)?.body).toEqual({ address: '07700 900123' });
  await user.click(screen.getByRole('button', { name: 'Send a new code' }));
  expect(await screen.findByText("If this number is on file, we've sent a new code.")).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Use another number or email' })).toBeTruthy();
});

test('if the options cannot be loaded, an email address can be entered', async () => {
  const page = openSignIn();
  delete page.server.handlers['GET /api/portal/sign-in-options'];
  expect(await requestCode(page)).toBeTruthy();
});

test('on a shared device, the person is signed out when the browser closes', async () => {
  const page = openSignIn();
  const { user, server } = page;
  const field = await requestCode(page);
  expect(screen.getByText(/stays signed in for 30 days/)).toBeTruthy();
  await user.click(
    screen.getByRole('checkbox', { name: /Shared device.*Sign me out when I close this browser/ }),
  );
  expect(screen.queryByText(/stays signed in for 30 days/)).toBeNull();
  await user.type(field, '419302{Enter}');
  await vi.waitFor(() => expect(server.last(LOGINS)?.body).toMatchObject({ isSharedDevice: true }));
});

test('an address is required, and an invalid one shows an error next to its field', async () => {
  const { user, server } = openSignIn({
    [CODES]: () => json(400, { message: 'Invalid', fields: { address: 'Invalid email' } }),
  });
  await user.click(await screen.findByRole('button', { name: 'Send code' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Please enter your email address');
  expect(server.count(CODES)).toBe(0);
  const field = screen.getByLabelText('Email address');
  await user.type(field, 'ruth');
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  expect(await screen.findByText('Invalid email')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('an incomplete code is not sent; a wrong one can be corrected', async () => {
  const message = "That code isn't right. Check it and try again.";
  const page = openSignIn({ [LOGINS]: () => json(401, { message }) });
  const { user, server } = page;
  const field = await requestCode(page);
  await user.type(field, '4193{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('Please enter all 6 digits');
  expect(server.count(LOGINS)).toBe(0);
  await user.type(field, '03{Enter}');
  expect(await screen.findByText(message)).toBeTruthy();
  server.handlers[LOGINS] = () => json(201, portalLogin());
  await user.clear(field);
  await user.type(field, '419302{Enter}');
  expect(await screen.findByRole('heading', { name: 'Next lessons' })).toBeTruthy();
});

test('asking for a new code replaces the earlier request', async () => {
  const page = openSignIn();
  const { user, server } = page;
  const field = await requestCode(page);
  server.handlers[CODES] = () => json(202, { requestId: 'request-2' });
  await user.type(field, '111');
  await user.click(screen.getByRole('button', { name: 'Send a new code' }));
  expect(
    await screen.findByText("If this address is on file, we've sent a new code."),
  ).toBeTruthy();
  await user.type(screen.getByLabelText('6-digit code'), '419302{Enter}');
  await vi.waitFor(() =>
    expect(server.last(LOGINS)?.body).toMatchObject({ requestId: 'request-2', code: '419302' }),
  );
});

test('the address can be changed', async () => {
  const page = openSignIn();
  await requestCode(page);
  await page.user.click(screen.getByRole('button', { name: 'Use another address' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe(EMAIL);
});

test('the code can still be entered five minutes later, after the phone has reloaded the page', async () => {
  const request = { address: EMAIL, requestId: 'request-1', sentAt: Date.now() - 5 * 60_000 };
  sessionStorage.setItem('lessonbook-portal-code', JSON.stringify(request));
  const { user, server } = openSignIn();
  await user.type(await screen.findByLabelText('6-digit code'), '419302{Enter}');
  await vi.waitFor(() =>
    expect(server.last(LOGINS)?.body).toMatchObject({ requestId: 'request-1' }),
  );
});

test('if the request has expired, the page asks for the address again', async () => {
  const request = { address: EMAIL, requestId: 'request-1', sentAt: Date.now() - 11 * 60_000 };
  sessionStorage.setItem('lessonbook-portal-code', JSON.stringify(request));
  openSignIn();
  expect(await screen.findByLabelText('Email address')).toBeTruthy();
});

test.each([
  [429, { message: 'Too many codes. Please try again in an hour.' }],
  [500, { message: 'Something went wrong. Please try again.' }],
])('an error with status %i is shown above the button', async (status, body) => {
  const { user } = openSignIn({ [CODES]: () => json(status, body) });
  await user.type(await screen.findByLabelText('Email address'), `${EMAIL}{Enter}`);
  expect((await screen.findByRole('alert')).textContent).toBe(body.message);
});

test('after a network error, the code can be requested again', async () => {
  const { user, server } = openSignIn();
  delete server.handlers[CODES];
  await user.type(await screen.findByLabelText('Email address'), `${EMAIL}{Enter}`);
  expect((await screen.findByRole('alert')).textContent).toBe(
    "We couldn't reach Lessonbook. Please try again.",
  );
  expect(screen.getByRole('button', { name: 'Send code' }).hasAttribute('disabled')).toBe(false);
});
