import { createHash } from 'node:crypto';
import { type calendar_v3, calendar as calendarSdk } from '@googleapis/calendar';
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import {
  CalendarDeletedError,
  type CalendarProvider,
  type RemoteChanges,
  type TutorCalendar,
} from './calendar-provider.ts';
import { httpStatusOf, translateErrors } from './google-calendar-errors.ts';
import {
  fromGoogleCalendar,
  fromGoogleEvent,
  toGoogleEvent,
  toNewGoogleEvent,
} from './google-calendar-mapper.ts';

export interface GoogleCalendarOptions {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  webhookUrl: string;
  url: string;
  consentUrl: string;
  tokenUrl: string;
  revokeUrl: string;
}

/** Grants access only to calendars that we created. */
const SCOPE = 'https://www.googleapis.com/auth/calendar.app.created';

/** Without it, Google ignores the conference in a write. */
const CONFERENCE_PARAMS = { conferenceDataVersion: 1 };

const TIMEOUT_MS = 10_000;
/** Clients are cached because their access tokens are valid for an hour. */
const MAX_CACHED_CLIENTS = 500;

export function googleCalendar(options: GoogleCalendarOptions): CalendarProvider {
  const { clientId, clientSecret, redirectUri } = options;
  const endpoints = {
    oauth2AuthBaseUrl: options.consentUrl,
    oauth2TokenUrl: options.tokenUrl,
    oauth2RevokeUrl: options.revokeUrl,
  };
  const newClient = () =>
    new OAuth2Client({
      clientId,
      clientSecret,
      redirectUri,
      endpoints,
      transporterOptions: { timeout: TIMEOUT_MS, retry: false, redirect: 'error' },
    });
  const clients = new Map<string, OAuth2Client>();

  const clientFor = (refreshToken: string): OAuth2Client => {
    const client = clients.get(refreshToken) ?? newClient();
    if (!clients.has(refreshToken)) client.setCredentials({ refresh_token: refreshToken });
    // Keeps the least recently used client first.
    clients.delete(refreshToken);
    clients.set(refreshToken, client);
    const [oldest] = clients.keys();
    if (clients.size > MAX_CACHED_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return client;
  };

  return {
    consentUrl: ({ state, verifier }) =>
      newClient().generateAuthUrl({
        access_type: 'offline',
        prompt: 'consent',
        scope: [SCOPE],
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: CodeChallengeMethod.S256,
      }),

    exchangeCode: (code, verifier) =>
      translateErrors(async () => {
        const { tokens } = await newClient().getToken({ code, codeVerifier: verifier });
        const { refresh_token: refreshToken, scope } = tokens;
        const allowed = scope?.split(' ').includes(SCOPE);
        return allowed && refreshToken ? { refreshToken } : 'scope_denied';
      }),

    revoke: (refreshToken) =>
      translateErrors(async () => {
        clients.delete(refreshToken);
        await newClient().revokeToken(refreshToken);
      }),

    open: (refreshToken) => {
      const auth = clientFor(refreshToken);
      const google = calendarSdk({
        version: 'v3',
        auth,
        rootUrl: options.url,
        timeout: TIMEOUT_MS,
        retry: false,
        // A redirect would send the token to another host.
        redirect: 'error',
      });
      return openCalendar(google, auth, options.webhookUrl);
    },
  };
}

function openCalendar(
  google: calendar_v3.Calendar,
  auth: OAuth2Client,
  webhookUrl: string,
): TutorCalendar {
  /** Refreshes the access token once after a 401. The library's own refresh would also retry rate-limited requests. */
  const withTokenRefresh = async <T>(send: () => Promise<T>): Promise<T> => {
    try {
      return await send();
    } catch (error) {
      if (httpStatusOf(error) !== 401) throw error;
      await auth.refreshAccessToken();
      return send();
    }
  };
  const request = <T>(send: () => Promise<T>): Promise<T> =>
    translateErrors(() => withTokenRefresh(send));
  /** Maps expected error statuses to results. */
  const requestMappingStatuses = async <T, R>(
    send: () => Promise<T>,
    results: Record<number, R>,
  ): Promise<T | R> =>
    request(async () => {
      try {
        return await send();
      } catch (error) {
        const result = results[httpStatusOf(error)];
        if (result === undefined) throw error;
        return result;
      }
    });
  const ifMatch = (etag: string) => ({ headers: { 'If-Match': etag } });

  return {
    find: (calendarId) =>
      requestMappingStatuses(
        async () => fromGoogleCalendar((await google.calendars.get({ calendarId })).data),
        { 404: null, 410: null },
      ),

    create: async (name, timeZone) => {
      const { data } = await request(() =>
        google.calendars.insert({ requestBody: { summary: name, timeZone } }),
      );
      return fromGoogleCalendar(data);
    },

    insert: async (calendarId, calendarEvent) => {
      const result = await requestMappingStatuses(
        async () => {
          const requestBody = toNewGoogleEvent(calendarEvent);
          return (await google.events.insert({ calendarId, requestBody, ...CONFERENCE_PARAMS }))
            .data;
        },
        { 409: 'exists', 404: 'calendar_deleted' } as const,
      );
      if (result === 'calendar_deleted') throw new CalendarDeletedError('The calendar was deleted');
      return result === 'exists' ? result : fromGoogleEvent(result);
    },

    update: async (calendarId, calendarEvent, etag) => {
      const { eventId } = calendarEvent;
      const requestBody = toGoogleEvent(calendarEvent);
      const result = await requestMappingStatuses(
        async () =>
          (
            await google.events.patch(
              { calendarId, eventId, requestBody, ...CONFERENCE_PARAMS },
              ifMatch(etag),
            )
          ).data,
        { 412: 'changed', 404: 'deleted', 410: 'deleted' } as const,
      );
      return typeof result === 'string' ? result : fromGoogleEvent(result);
    },

    remove: async (calendarId, eventId, etag) =>
      requestMappingStatuses(
        async () => {
          await google.events.delete({ calendarId, eventId }, etag ? ifMatch(etag) : {});
          return 'deleted' as const;
        },
        { 412: 'changed', 404: 'deleted', 410: 'deleted' } as const,
      ),

    getEvent: (calendarId, eventId) =>
      requestMappingStatuses(
        async () => fromGoogleEvent((await google.events.get({ calendarId, eventId })).data),
        {
          404: null,
          410: null,
        },
      ),

    listChanges: async (calendarId, syncToken) => {
      const result = await requestMappingStatuses(
        () => listAllChanges(google, calendarId, syncToken),
        { 410: 'expired', 404: 'calendar_deleted' } as const,
      );
      if (result === 'calendar_deleted') throw new CalendarDeletedError('The calendar was deleted');
      return result;
    },

    watch: async (calendarId, { id, token }) => {
      const { data } = await request(() =>
        google.events.watch({
          calendarId,
          requestBody: { id, token, type: 'web_hook', address: webhookUrl },
        }),
      );
      return {
        id,
        resource: data.resourceId ?? '',
        expiresAt: new Date(Number(data.expiration ?? 0)),
      };
    },

    stopWatching: async ({ id, resource }) => {
      await requestMappingStatuses(
        async () => {
          await google.channels.stop({ requestBody: { id, resourceId: resource } });
          return null;
        },
        { 404: null },
      );
    },
  };
}

async function listAllChanges(
  google: calendar_v3.Calendar,
  calendarId: string,
  syncToken: string | null,
): Promise<RemoteChanges> {
  const events: RemoteChanges['events'] = [];
  let pageToken: string | undefined;
  for (;;) {
    const { data } = await google.events.list({
      calendarId,
      maxResults: 2_500,
      ...(syncToken === null ? {} : { syncToken }),
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    events.push(...(data.items ?? []).map(fromGoogleEvent));
    if (data.nextSyncToken) return { events, syncToken: data.nextSyncToken };
    if (!data.nextPageToken) return { events, syncToken: '' };
    pageToken = data.nextPageToken;
  }
}
