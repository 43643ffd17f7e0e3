import { type FakeGoogle, type GoogleOptions, startGoogle } from '@lessonbook/fakes/google';

export interface CalendarProvider extends FakeGoogle {
  /** Environment variables for the API and the worker. */
  env: Record<string, string>;
}

export const createCalendarEnvironment = ({
  client,
  url,
  endpoints,
}: FakeGoogle): Record<string, string> => ({
  GOOGLE_CALENDAR_CLIENT_ID: client.id,
  GOOGLE_CALENDAR_CLIENT_SECRET: client.secret,
  GOOGLE_CALENDAR_URL: `${url}/`,
  GOOGLE_CONSENT_URL: endpoints.oauth2AuthBaseUrl,
  GOOGLE_TOKEN_URL: endpoints.oauth2TokenUrl,
  GOOGLE_REVOKE_URL: endpoints.oauth2RevokeUrl,
});

/** A fake Google Calendar. The server supplies its webhook address when it opens a watch channel. */
export async function startCalendarProvider(
  options: GoogleOptions = {},
): Promise<CalendarProvider> {
  const google = await startGoogle(options);
  return { ...google, env: createCalendarEnvironment(google) };
}
