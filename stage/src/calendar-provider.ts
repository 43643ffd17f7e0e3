import { type GoogleOptions, type GoogleStandIn, startGoogle } from '@lessonbook/fakes/google';

export interface CalendarProvider extends GoogleStandIn {
  /** What API and worker must know to speak with it. */
  env: Record<string, string>;
}

/** A stand-in for Google's calendar. Where its messages go to, the product says itself. */
export async function startCalendarProvider(
  options: GoogleOptions = {},
): Promise<CalendarProvider> {
  const google = await startGoogle(options);
  return {
    ...google,
    env: {
      GOOGLE_CALENDAR_CLIENT_ID: google.client.id,
      GOOGLE_CALENDAR_CLIENT_SECRET: google.client.secret,
      GOOGLE_CALENDAR_URL: `${google.url}/`,
      GOOGLE_CONSENT_URL: google.endpoints.oauth2AuthBaseUrl,
      GOOGLE_TOKEN_URL: google.endpoints.oauth2TokenUrl,
      GOOGLE_REVOKE_URL: google.endpoints.oauth2RevokeUrl,
    },
  };
}
