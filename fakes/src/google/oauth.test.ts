import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { submitForm } from '../shared/submit-form.ts';
import {
  connect,
  oauthFor,
  REDIRECT_URI,
  requestConsent,
  startHarness,
  type TestHarness,
} from './test-harness.ts';

let harness: TestHarness;

beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.close());

function invalidGrant(description?: string) {
  const data = {
    error: 'invalid_grant',
    ...(description === undefined ? {} : { error_description: description }),
  };
  return { status: 400, response: { data } };
}

async function openPage(url: string) {
  const response = await fetch(url);
  return { status: response.status, html: await response.text() };
}

async function submitConsent(authUrl: string, button: string, user = 'bo@gmail.example') {
  const { html } = await openPage(authUrl);
  const response = await submitForm(authUrl, html, button, { user });
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}

describe('consent page', () => {
  test('redirects with the code, state and granted scopes when the user allows access', async () => {
    const { oauth, authUrl, codeVerifier } = await requestConsent(harness.fake);
    const { status, html } = await openPage(authUrl);
    expect(status).toBe(200);
    expect(html).toContain('value="tutor@gmail.example"');
    expect(html).toContain('name="viewport"');
    const redirect = await submitConsent(authUrl, 'Allow', 'Bo@Gmail.example');
    expect(redirect.origin + redirect.pathname).toBe(REDIRECT_URI);
    expect(Object.fromEntries(redirect.searchParams)).toMatchObject({
      state: 'state-1',
      scope: harness.fake.scope,
    });
    const code = redirect.searchParams.get('code') ?? '';
    const { tokens } = await oauth.getToken({ code, codeVerifier });
    expect(tokens).toMatchObject({
      access_token: expect.stringMatching(/^ya29\./),
      refresh_token: expect.stringMatching(/^1\/\//),
      scope: harness.fake.scope,
      token_type: 'Bearer',
    });
    expect(await harness.fake.control.report()).toEqual([
      { user: 'bo@gmail.example', connected: true, scopes: [harness.fake.scope], calendars: [] },
    ]);
  });

  test('pre-fills the user from login_hint', async () => {
    const { authUrl } = await requestConsent(harness.fake, { login_hint: 'ada@gmail.example' });
    expect((await openPage(authUrl)).html).toContain('value="ada@gmail.example"');
  });

  test('redirects with access_denied when the user cancels', async () => {
    const { authUrl } = await requestConsent(harness.fake);
    const redirect = await submitConsent(authUrl, 'Cancel', '');
    expect(Object.fromEntries(redirect.searchParams)).toEqual({
      state: 'state-1',
      error: 'access_denied',
    });
    expect(await harness.fake.control.report()).toEqual([]);
  });

  test('denies calendar calls when the user allows access without the calendar', async () => {
    const scope = ['openid', harness.fake.scope];
    const { oauth, authUrl, codeVerifier } = await requestConsent(harness.fake, { scope });
    const redirect = await submitConsent(authUrl, 'Allow without the calendar');
    const code = redirect.searchParams.get('code') ?? '';
    const { tokens } = await oauth.getToken({ code, codeVerifier });
    expect(tokens.scope).toBe('openid');

    const { google } = await connect(harness.fake, 'cy@gmail.example', 'allow-without-calendar');
    await expect(
      google.calendars.insert({ requestBody: { summary: 'Lessons' } }),
    ).rejects.toMatchObject({
      status: 403,
      response: { data: { error: { errors: [{ reason: 'insufficientPermissions' }] } } },
    });
  });

  test('rejects an invalid user and a second submission', async () => {
    const { authUrl } = await requestConsent(harness.fake);
    const { html } = await openPage(authUrl);
    expect((await submitForm(authUrl, html, 'Allow', { user: 'not-an-address' })).status).toBe(400);
    expect((await submitForm(authUrl, html, 'Allow', { user: 'bo@gmail.example' })).status).toBe(
      303,
    );
    expect((await submitForm(authUrl, html, 'Allow', { user: 'bo@gmail.example' })).status).toBe(
      400,
    );
  });

  test.each([
    ['redirect_uri_mismatch', { redirect_uri: 'javascript:alert(1)' }],
    ['invalid_client', { client_id: 'unknown' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_scope', { scope: ['https://www.googleapis.com/auth/calendar'] }],
    ['invalid_request', { code_challenge_method: 'plain' as never }],
  ])('shows the error and does not redirect: %s', async (code, overrides) => {
    const { authUrl } = await requestConsent(harness.fake, overrides);
    const { status, html } = await openPage(authUrl);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(html).toContain(code);
    await expect(harness.fake.control.consent(authUrl)).rejects.toThrow();
  });

  test('accepts only registered redirect URIs', async () => {
    const client = { id: 'app', secret: 'secret', redirectUris: [REDIRECT_URI] };
    const strict = await startHarness({ client });
    const { authUrl } = await requestConsent(strict.fake);
    expect((await openPage(authUrl)).status).toBe(200);
    const other = await requestConsent(strict.fake, { redirect_uri: 'http://evil.example/' });
    expect((await openPage(other.authUrl)).html).toContain('redirect_uri_mismatch');
    await strict.close();
  });
});

describe('authorisation code', () => {
  async function newCode() {
    const request = await requestConsent(harness.fake);
    const { redirect } = await harness.fake.control.consent(request.authUrl);
    return { ...request, code: new URL(redirect).searchParams.get('code') ?? '' };
  }

  test('can be exchanged only once', async () => {
    const { oauth, code, codeVerifier } = await newCode();
    await oauth.getToken({ code, codeVerifier });
    await expect(oauth.getToken({ code, codeVerifier })).rejects.toMatchObject(invalidGrant());
  });

  test('needs the matching code verifier', async () => {
    const wrong = await newCode();
    await expect(
      wrong.oauth.getToken({ code: wrong.code, codeVerifier: 'another' }),
    ).rejects.toMatchObject(invalidGrant('Invalid code verifier.'));
    // A failed attempt invalidates the code.
    await expect(
      wrong.oauth.getToken({ code: wrong.code, codeVerifier: wrong.codeVerifier }),
    ).rejects.toMatchObject(invalidGrant());
    const none = await newCode();
    await expect(none.oauth.getToken(none.code)).rejects.toMatchObject(
      invalidGrant('Missing code verifier.'),
    );
  });

  test('expires after ten minutes and needs the same redirect URI and the client secret', async () => {
    const old = await newCode();
    await harness.fake.control.advanceClock(11 * 60_000);
    await expect(old.oauth.getToken(old)).rejects.toMatchObject(invalidGrant());

    const { oauth, code, codeVerifier } = await newCode();
    await expect(
      oauth.getToken({ code, codeVerifier, redirect_uri: 'http://lessons.example/other' }),
    ).rejects.toMatchObject({ response: { data: { error: 'redirect_uri_mismatch' } } });

    const next = await newCode();
    const { client } = harness.fake;
    const wrongClient = oauthFor({ ...harness.fake, client: { ...client, secret: 'guess' } });
    await expect(wrongClient.getToken(next)).rejects.toMatchObject({
      status: 401,
      response: { data: { error: 'invalid_client' } },
    });
  });

  test('returns a refresh token only for offline access, and a second one only with prompt=consent', async () => {
    const tokensFor = async (overrides: {
      access_type?: 'online' | 'offline';
      prompt?: string;
    }) => {
      const { oauth, authUrl, codeVerifier } = await requestConsent(harness.fake, overrides);
      const { redirect } = await harness.fake.control.consent(authUrl);
      const code = new URL(redirect).searchParams.get('code') ?? '';
      return (await oauth.getToken({ code, codeVerifier })).tokens.refresh_token;
    };
    expect(await tokensFor({ access_type: 'online' })).toBeUndefined();
    expect(await tokensFor({ prompt: 'select_account' })).toBeDefined();
    expect(await tokensFor({ prompt: 'select_account' })).toBeUndefined();
    expect(await tokensFor({ prompt: 'consent' })).toBeDefined();
  });
});

describe('tokens', () => {
  const newCalendar = { requestBody: { summary: 'Lessons' } };

  test('expire after an hour and are refreshed by the SDK', async () => {
    const { google, oauth } = await connect(harness.fake);
    const before = oauth.credentials.access_token;
    await google.calendars.insert(newCalendar);
    expect(oauth.credentials.access_token).toBe(before);
    await harness.fake.control.advanceClock(3_600_000);
    await google.calendars.insert(newCalendar);
    const between = oauth.credentials.access_token;
    expect(between).not.toBe(before);
    await harness.fake.control.expireAccessTokens();
    await google.calendars.insert(newCalendar);
    expect(oauth.credentials.access_token).not.toBe(between);
    expect((await harness.fake.control.calls()).map(({ status }) => status)).toEqual([
      200, 401, 200, 401, 200,
    ]);
  });

  test('return Google’s 401 error when invalid or missing', async () => {
    const get = (headers: Record<string, string>) =>
      fetch(`${harness.fake.url}/calendar/v3/calendars/x`, { headers });
    const invalid = await get({ authorization: 'Bearer ya29.dead' });
    expect(invalid.status).toBe(401);
    expect(invalid.headers.get('www-authenticate')).toContain('invalid_token');
    expect(await invalid.json()).toEqual({
      error: {
        code: 401,
        message: expect.stringContaining('invalid authentication credentials'),
        errors: [
          {
            message: 'Invalid Credentials',
            domain: 'global',
            reason: 'authError',
            location: 'Authorization',
            locationType: 'header',
          },
        ],
        status: 'UNAUTHENTICATED',
      },
    });
    expect(await (await get({})).json()).toMatchObject({
      error: { code: 401, errors: [{ reason: 'required', message: 'Login Required.' }] },
    });
  });

  test('become invalid when the app or the user revokes access', async () => {
    const first = await connect(harness.fake);
    const second = await connect(harness.fake);
    const other = await connect(harness.fake, 'bo@gmail.example');
    await first.oauth.revokeToken(first.tokens.refresh_token ?? '');
    for (const { google } of [first, second]) {
      await expect(google.calendars.insert(newCalendar)).rejects.toMatchObject(
        invalidGrant('Token has been expired or revoked.'),
      );
    }
    await other.google.calendars.insert(newCalendar);
    await harness.fake.control.revoke('bo@gmail.example');
    await expect(other.google.calendars.insert(newCalendar)).rejects.toMatchObject(invalidGrant());
    await expect(first.oauth.revokeToken('1//none')).rejects.toMatchObject({
      response: { data: { error: 'invalid_token' } },
    });
  });

  test('refresh tokens expire after six months without use, or after a week in Testing status', async () => {
    const used = await connect(harness.fake);
    const day = 86_400_000;
    await harness.fake.control.advanceClock(150 * day);
    await used.oauth.refreshAccessToken();
    await harness.fake.control.advanceClock(150 * day);
    await used.oauth.refreshAccessToken();
    await harness.fake.control.advanceClock(190 * day);
    await expect(used.oauth.refreshAccessToken()).rejects.toMatchObject(invalidGrant());

    const testing = await startHarness({ testing: true });
    const { oauth, tokens } = await connect(testing.fake);
    expect(tokens).toMatchObject({ refresh_token_expires_in: 604_799 });
    await testing.fake.control.advanceClock(6 * day);
    await oauth.refreshAccessToken();
    await testing.fake.control.advanceClock(day);
    await expect(oauth.refreshAccessToken()).rejects.toMatchObject(invalidGrant());
    await testing.close();
  });
});
