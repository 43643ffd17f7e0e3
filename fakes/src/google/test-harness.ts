/** Shared by the tests: the fake, the official SDK and a webhook receiver. */
import { type calendar_v3, calendar as calendarSdk } from '@googleapis/calendar';
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import { expect } from 'vitest';
import { type FakeGoogle, type GoogleOptions, startGoogle } from '../google.ts';
import { type Receiver, startWebhookReceiver } from '../shared/webhook-receiver.ts';
import type { Decision } from './consent.ts';

export const REDIRECT_URI = 'http://lessons.example/google/return';

export interface Message {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface TestHarness {
  fake: FakeGoogle;
  receiver: Receiver<Message>;
  close: () => Promise<void>;
}

export async function startHarness(options: GoogleOptions = {}): Promise<TestHarness> {
  const receiver = await startWebhookReceiver<Message>((request, body) => ({
    path: request.url ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name.startsWith('x-goog')),
    ) as Record<string, string>,
    body,
  }));
  const fake = await startGoogle({ delivery: { backoff: [5, 10] }, ...options });
  return {
    fake,
    receiver,
    close: async () => {
      await fake.close();
      await receiver.close();
    },
  };
}

export function oauthFor({ client, endpoints }: FakeGoogle): OAuth2Client {
  return new OAuth2Client({
    clientId: client.id,
    clientSecret: client.secret,
    redirectUri: REDIRECT_URI,
    forceRefreshOnFailure: true,
    endpoints,
  });
}

/** Returns the URL of the consent page and the values needed to exchange the code. */
export async function requestConsent(
  fake: FakeGoogle,
  overrides: Parameters<OAuth2Client['generateAuthUrl']>[0] = {},
) {
  const oauth = oauthFor(fake);
  const { codeVerifier, codeChallenge } = await oauth.generateCodeVerifierAsync();
  const authUrl = oauth.generateAuthUrl({
    access_type: 'offline',
    prompt: 'consent',
    scope: [fake.scope],
    state: 'state-1',
    code_challenge: codeChallenge ?? '',
    code_challenge_method: CodeChallengeMethod.S256,
    ...overrides,
  });
  return { oauth, authUrl, codeVerifier };
}

/** A user who granted access, and an SDK client with their tokens. */
export async function connect(
  fake: FakeGoogle,
  user = 'ada@gmail.example',
  decision: Decision = 'allow',
) {
  const { oauth, authUrl, codeVerifier } = await requestConsent(fake);
  const { redirect } = await fake.control.consent(authUrl, { user, decision });
  const code = new URL(redirect).searchParams.get('code') ?? '';
  const { tokens } = await oauth.getToken({ code, codeVerifier });
  oauth.setCredentials(tokens);
  return { user, oauth, tokens, google: sdkFor(fake, oauth) };
}

export function sdkFor(fake: FakeGoogle, auth: OAuth2Client): calendar_v3.Calendar {
  // With retries, the tests would not see the first response.
  return calendarSdk({ version: 'v3', auth, rootUrl: `${fake.url}/`, retry: false });
}

/** A connected user with a calendar for lessons. */
export async function connectWithCalendar(fake: FakeGoogle, user?: string) {
  const connected = await connect(fake, user);
  const { data } = await connected.google.calendars.insert({
    requestBody: { summary: 'Lessons', timeZone: 'Europe/London' },
  });
  return { ...connected, calendarId: data.id ?? '' };
}

export const LESSON: calendar_v3.Schema$Event = {
  id: 'lesson0001',
  summary: 'Maths with Sam',
  start: { dateTime: '2026-11-20T09:00:00', timeZone: 'Europe/London' },
  end: { dateTime: '2026-11-20T10:00:00', timeZone: 'Europe/London' },
  extendedProperties: { private: { sessionId: 'ses_1' } },
};

/** The error that Google's library throws for an error response. */
export function apiError(status: number, reason: string) {
  return { status, response: { data: { error: { code: status, errors: [{ reason }] } } } };
}

/** Expects that all requests and responses conform to Google's discovery document. */
export async function expectConformance({ fake }: TestHarness): Promise<void> {
  const { available, checked, violations } = await fake.control.conformance();
  console.log(
    available
      ? `Google: ${checked} exchanges checked, ${violations.length} violations`
      : 'Google: conformance not checked, the discovery document is missing',
  );
  expect(violations).toEqual([]);
}
