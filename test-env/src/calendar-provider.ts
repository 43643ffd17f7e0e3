import { type FakeGoogle, type GoogleOptions, startGoogle } from '@lessonbook/fakes/google';

export interface CalendarProvider extends FakeGoogle {
  /** What API and worker must know to speak with it. */
  env: Record<string, string>;
}

/** What a process of ours must know of the stand-in. */
export const calendarEnvironment = ({
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

/** A stand-in for Google's calendar. Where its messages go to, the product says itself. */
export async function startCalendarProvider(
  options: GoogleOptions = {},
): Promise<CalendarProvider> {
  const google = await startGoogle(options);
  return { ...google, env: calendarEnvironment(google) };
}
