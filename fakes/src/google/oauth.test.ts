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
  const answer = await fetch(url);
  return { status: answer.status, html: await answer.text() };
}

async function pressed(authUrl: string, button: string, user = 'bo@gmail.example') {
  const { html } = await openPage(authUrl);
  const answer = await submitForm(authUrl, html, button, { user });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
}

describe('the consent page', () => {
  test('lets a user in: the code comes back with the state and what was granted', async () => {
    const { oauth, authUrl, codeVerifier } = await requestConsent(harness.fake);
    const { status, html } = await openPage(authUrl);
    expect(status).toBe(200);
    expect(html).toContain('value="tutor@gmail.example"');
    expect(html).toContain('name="viewport"');
    const back = await pressed(authUrl, 'Allow', 'Bo@Gmail.example');
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      state: 'state-1',
      scope: harness.fake.scope,
    });
    const code = back.searchParams.get('code') ?? '';
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

  test('suggests the user the app names', async () => {
    const { authUrl } = await requestConsent(harness.fake, { login_hint: 'ada@gmail.example' });
    expect((await openPage(authUrl)).html).toContain('value="ada@gmail.example"');
  });

  test('can be refused', async () => {
    const { authUrl } = await requestConsent(harness.fake);
    const back = await pressed(authUrl, 'Cancel', '');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      state: 'state-1',
      error: 'access_denied',
    });
    expect(await harness.fake.control.report()).toEqual([]);
  });

  test('can be answered without the calendar, and then nothing of it is open', async () => {
    const scope = ['openid', harness.fake.scope];
    const { oauth, authUrl, codeVerifier } = await requestConsent(harness.fake, { scope });
    const back = await pressed(authUrl, 'Allow without the calendar');
    const code = back.searchParams.get('code') ?? '';
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

  test('asks again for a user that is none, and works only once', async () => {
    const { authUrl } = await requestConsent(harness.fake);
    const { html } = await openPage(authUrl);
    expect((await submitForm(authUrl, html, 'Allow', { user: 'nobody' })).status).toBe(400);
    expect((await submitForm(authUrl, html, 'Allow', { user: 'bo@gmail.example' })).status).toBe(
      303,
    );
    expect((await submitForm(authUrl, html, 'Allow', { user: 'bo@gmail.example' })).status).toBe(
      400,
    );
  });

  test.each([
    ['redirect_uri_mismatch', { redirect_uri: 'javascript:alert(1)' }],
    ['invalid_client', { client_id: 'somebody' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_scope', { scope: ['https://www.googleapis.com/auth/calendar'] }],
    ['invalid_request', { code_challenge_method: 'plain' as never }],
  ])('shows what is wrong and sends nobody back: %s', async (code, more) => {
    const { authUrl } = await requestConsent(harness.fake, more);
    const { status, html } = await openPage(authUrl);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(html).toContain(code);
    await expect(harness.fake.control.consent(authUrl)).rejects.toThrow();
  });

  test('knows the addresses an app has registered', async () => {
    const client = { id: 'app', secret: 'secret', redirectUris: [REDIRECT_URI] };
    const strict = await startHarness({ client });
    const { authUrl } = await requestConsent(strict.fake);
    expect((await openPage(authUrl)).status).toBe(200);
    const other = await requestConsent(strict.fake, { redirect_uri: 'http://evil.example/' });
    expect((await openPage(other.authUrl)).html).toContain('redirect_uri_mismatch');
    await strict.close();
  });
});

describe('a code', () => {
  async function freshCode() {
    const asked = await requestConsent(harness.fake);
    const { redirect } = await harness.fake.control.consent(asked.authUrl);
    return { ...asked, code: new URL(redirect).searchParams.get('code') ?? '' };
  }

  test('is exchanged once', async () => {
    const { oauth, code, codeVerifier } = await freshCode();
    await oauth.getToken({ code, codeVerifier });
    await expect(oauth.getToken({ code, codeVerifier })).rejects.toMatchObject(invalidGrant());
  });

  test('needs the verifier it was asked for with', async () => {
    const wrong = await freshCode();
    await expect(
      wrong.oauth.getToken({ code: wrong.code, codeVerifier: 'another' }),
    ).rejects.toMatchObject(invalidGrant('Invalid code verifier.'));
    // A wrong guess uses the code up.
    await expect(
      wrong.oauth.getToken({ code: wrong.code, codeVerifier: wrong.codeVerifier }),
    ).rejects.toMatchObject(invalidGrant());
    const none = await freshCode();
    await expect(none.oauth.getToken(none.code)).rejects.toMatchObject(
      invalidGrant('Missing code verifier.'),
    );
  });

  test('lives ten minutes, belongs to one address, and to who knows the secret', async () => {
    const old = await freshCode();
    await harness.fake.control.advanceClock(11 * 60_000);
    await expect(old.oauth.getToken(old)).rejects.toMatchObject(invalidGrant());

    const { oauth, code, codeVerifier } = await freshCode();
    await expect(
      oauth.getToken({ code, codeVerifier, redirect_uri: 'http://lessons.example/other' }),
    ).rejects.toMatchObject({ response: { data: { error: 'redirect_uri_mismatch' } } });

    const next = await freshCode();
    const { client } = harness.fake;
    const stranger = oauthFor({ ...harness.fake, client: { ...client, secret: 'guess' } });
    await expect(stranger.getToken(next)).rejects.toMatchObject({
      status: 401,
      response: { data: { error: 'invalid_client' } },
    });
  });

  test('brings a refresh token only offline, and again only when consent is asked for', async () => {
    const tokensFor = async (more: { access_type?: 'online' | 'offline'; prompt?: string }) => {
      const { oauth, authUrl, codeVerifier } = await requestConsent(harness.fake, more);
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
  const someCalendar = { requestBody: { summary: 'Lessons' } };

  test('expire after an hour and are refreshed by the SDK, whatever it asks for', async () => {
    const { google, oauth } = await connect(harness.fake);
    const before = oauth.credentials.access_token;
    await google.calendars.insert(someCalendar);
    expect(oauth.credentials.access_token).toBe(before);
    await harness.fake.control.advanceClock(3_600_000);
    await google.calendars.insert(someCalendar);
    const between = oauth.credentials.access_token;
    expect(between).not.toBe(before);
    await harness.fake.control.expireAccessTokens();
    await google.calendars.insert(someCalendar);
    expect(oauth.credentials.access_token).not.toBe(between);
    expect((await harness.fake.control.calls()).map(({ status }) => status)).toEqual([
      200, 401, 200, 401, 200,
    ]);
  });

  test('a dead or missing one is refused in Google’s words', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${harness.fake.url}/calendar/v3/calendars/x`, { headers });
    const dead = await ask({ authorization: 'Bearer ya29.dead' });
    expect(dead.status).toBe(401);
    expect(dead.headers.get('www-authenticate')).toContain('invalid_token');
    expect(await dead.json()).toEqual({
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
    expect(await (await ask({})).json()).toMatchObject({
      error: { code: 401, errors: [{ reason: 'required', message: 'Login Required.' }] },
    });
  });

  test('die with the user’s revocation, here or at Google', async () => {
    const here = await connect(harness.fake);
    const twin = await connect(harness.fake);
    const other = await connect(harness.fake, 'bo@gmail.example');
    await here.oauth.revokeToken(here.tokens.refresh_token ?? '');
    for (const { google } of [here, twin]) {
      await expect(google.calendars.insert(someCalendar)).rejects.toMatchObject(
        invalidGrant('Token has been expired or revoked.'),
      );
    }
    await other.google.calendars.insert(someCalendar);
    await harness.fake.control.revoke('bo@gmail.example');
    await expect(other.google.calendars.insert(someCalendar)).rejects.toMatchObject(invalidGrant());
    await expect(here.oauth.revokeToken('1//none')).rejects.toMatchObject({
      response: { data: { error: 'invalid_token' } },
    });
  });

  test('a refresh token dies unused for half a year, or after a week of Testing', async () => {
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
