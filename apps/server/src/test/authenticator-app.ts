import { Secret, TOTP } from 'otpauth';

/** What an authenticator app shows that has read the picture. */
export const codeOf = (secret: string, now: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
