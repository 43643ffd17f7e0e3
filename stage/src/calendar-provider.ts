import { randomBytes } from 'node:crypto';
import { type GoogleOptions, type GoogleStandIn, startGoogle } from '@lessonbook/fakes/google';

export interface CalendarProvider extends GoogleStandIn {
  /** What API and worker must know to speak with it. */
  env: Record<string, string>;
}

interface CalendarProviderOptions extends GoogleOptions {
  /** 32 bytes in base64, where what was sealed must outlive this run. */
  sealingKey?: string;
}

/** A stand-in for Google's calendar. Where its messages go to, the product says itself. */
export async function startCalendarProvider({
  sealingKey = randomBytes(32).toString('base64'),
  ...options
}: CalendarProviderOptions = {}): Promise<CalendarProvider> {
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
      SEALING_KEYS: `stage:${sealingKey}`,
    },
  };
}
