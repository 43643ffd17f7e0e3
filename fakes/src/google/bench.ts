/** What the tests of the stand-in share: the stand-in, the official SDK and a receiver of messages. */
import { type calendar_v3, calendar as calendarSdk } from '@googleapis/calendar';
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import { expect } from 'vitest';
import { type GoogleOptions, type GoogleStandIn, startGoogle } from '../google.ts';
import { type Receiver, startReceiverOf } from '../shared/receiver.ts';
import type { Decision } from './consent.ts';

export const RETURN_TO = 'http://lessons.example/google/return';

export interface Message {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Bench {
  fake: GoogleStandIn;
  receiver: Receiver<Message>;
  close: () => Promise<void>;
}

export async function openBench(options: GoogleOptions = {}): Promise<Bench> {
  const receiver = await startReceiverOf<Message>((request, body) => ({
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

export function oauthFor({ client, endpoints }: GoogleStandIn): OAuth2Client {
  return new OAuth2Client({
    clientId: client.id,
    clientSecret: client.secret,
    redirectUri: RETURN_TO,
    forceRefreshOnFailure: true,
    endpoints,
  });
}

/** The address of the consent page, and what is needed once it has been answered. */
export async function askConsent(
  fake: GoogleStandIn,
  more: Parameters<OAuth2Client['generateAuthUrl']>[0] = {},
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
    ...more,
  });
  return { oauth, authUrl, codeVerifier };
}

/** A user who let the app in, and the SDK that acts for them. */
export async function connect(
  fake: GoogleStandIn,
  user = 'ada@gmail.example',
  decision: Decision = 'allow',
) {
  const { oauth, authUrl, codeVerifier } = await askConsent(fake);
  const { redirect } = await fake.control.consent(authUrl, { user, decision });
  const code = new URL(redirect).searchParams.get('code') ?? '';
  const { tokens } = await oauth.getToken({ code, codeVerifier });
  oauth.setCredentials(tokens);
  return { user, oauth, tokens, google: sdkFor(fake, oauth) };
}

export function sdkFor(fake: GoogleStandIn, auth: OAuth2Client): calendar_v3.Calendar {
  // Otherwise the SDK waits and tries again by itself, and the tests would not see the first answer.
  return calendarSdk({ version: 'v3', auth, rootUrl: `${fake.url}/`, retry: false });
}

/** The same with a calendar for lessons. */
export async function connectWithCalendar(fake: GoogleStandIn, user?: string) {
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

/** What Google's library throws for a refusal. */
export function refusal(status: number, reason: string) {
  return { status, response: { data: { error: { code: status, errors: [{ reason }] } } } };
}

/** Nothing was asked or answered that Google's own description does not have. */
export async function expectConforming({ fake }: Bench): Promise<void> {
  const { available, checked, violations } = await fake.control.conformance();
  console.log(
    available
      ? `Google: ${checked} exchanges held against the description, ${violations.length} violations`
      : 'Google: the description is absent, so nothing was held against it',
  );
  expect(violations).toEqual([]);
}
