import { isIP } from 'node:net';
import type * as z from 'zod/mini';
import { type commands, Environment, isLoopback, vendors } from './env-schema.ts';
import { parseEncryptionKeys } from './platform/crypto/encryption.ts';

/** Reads and validates the environment variables of env-schema.ts. No other file reads `process.env`. */

type Values = z.infer<typeof Environment>;
export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: Record<string, string | undefined> = process.env) {
  const parsed = Environment.safeParse(dropEmptyValues(env));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((i) => `  ${i.path.join('.')}: ${i.message}`);
    throw new Error(`The configuration is not complete:\n${problems.join('\n')}`);
  }
  const values = parsed.data;
  const origin = new URL(values.APP_URL).origin;
  const secure = origin.startsWith('https:');
  const testOnly = values.CLOCK_START !== undefined || values.RATE_LIMIT_FACTOR !== 1;
  if (testOnly && !isLoopback(values.APP_URL)) {
    throw new Error(
      'CLOCK_START and RATE_LIMIT_FACTOR are for tests only: APP_URL must be a loopback address',
    );
  }
  return {
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    origin,
    host: values.HOST,
    port: values.PORT,
    workerPort: values.WORKER_PORT,
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM },
    stripe: readStripe(values),
    googleSignIn: readGoogleSignIn(values),
    googleCalendar: readGoogleCalendar(values, origin),
    encryptionKeys: parseEncryptionKeys(values.ENCRYPTION_KEYS ?? ''),
    // A passkey belongs to a domain name; WebAuthn does not allow IP addresses.
    passkeyDomain: isIpHost(values.APP_URL) ? null : new URL(origin).hostname,
    whatsApp: readWhatsApp(values),
    secretKey: Buffer.from(values.SECRET_KEY, 'base64'),
    webDist: values.WEB_DIST,
    serviceWorker: values.SERVICE_WORKER === 'on',
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES.split(',')
      .map((a) => a.trim())
      .filter(Boolean),
    metricsToken: values.METRICS_TOKEN,
    // The __Host- prefix needs https; over plain http a browser drops the cookie.
    cookie: { name: secure ? '__Host-lessonbook' : 'lessonbook', secure },
    demoAccount: values.DEMO_ACCOUNT === 'yes',
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    clockStart: values.CLOCK_START,
  };
}

/** `NAME=` counts as not set: compose passes unset optional variables that way. */
function dropEmptyValues(
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** Throws if only some of a vendor's settings are set. */
function requireAllOrNone<Name extends keyof Values>(
  vendor: string,
  names: readonly Name[],
  values: Values,
): Record<Name, string> | null {
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    throw new Error(
      `${vendor} needs all of its settings or none: ${missing.join(', ')} is missing`,
    );
  }
  return values as unknown as Record<Name, string>;
}

/** Null disables card payments. */
function readStripe(values: Values) {
  const { title, allOrNone } = vendors.stripe;
  const account = requireAllOrNone(title, allOrNone, values);
  return (
    account && {
      secretKey: account.STRIPE_SECRET_KEY,
      accountSecret: account.STRIPE_ACCOUNT_SECRET,
      paymentSecret: account.STRIPE_PAYMENT_SECRET,
      url: values.STRIPE_URL,
      dashboardUrl: values.STRIPE_DASHBOARD_URL,
    }
  );
}

/** Null disables Google sign-in. */
function readGoogleSignIn(values: Values) {
  const { title, allOrNone } = vendors.googleSignIn;
  const client = requireAllOrNone(title, allOrNone, values);
  return (
    client && {
      clientId: client.GOOGLE_SIGN_IN_CLIENT_ID,
      clientSecret: client.GOOGLE_SIGN_IN_CLIENT_SECRET,
      issuer: values.GOOGLE_SIGN_IN_ISSUER,
    }
  );
}

/** Null disables Google Calendar. */
function readGoogleCalendar(values: Values, origin: string) {
  const { title, allOrNone } = vendors.googleCalendar;
  // Encryption keys alone are not an incomplete client: authenticator apps need them too.
  if (allOrNone.every((name) => values[name] === undefined)) return null;
  const client = requireAllOrNone(title, [...allOrNone, 'ENCRYPTION_KEYS'], values);
  return (
    client && {
      clientId: client.GOOGLE_CALENDAR_CLIENT_ID,
      clientSecret: client.GOOGLE_CALENDAR_CLIENT_SECRET,
      redirectUri: `${origin}/api/google/callback`,
      webhookUrl: `${origin}/api/google/webhooks`,
      url: values.GOOGLE_CALENDAR_URL,
      consentUrl: values.GOOGLE_CONSENT_URL,
      tokenUrl: values.GOOGLE_TOKEN_URL,
      revokeUrl: values.GOOGLE_REVOKE_URL,
    }
  );
}

/** Null disables automatic WhatsApp messages. */
function readWhatsApp(values: Values) {
  const { title, allOrNone } = vendors.whatsApp;
  const account = requireAllOrNone(title, allOrNone, values);
  return (
    account && {
      url: values.WHATSAPP_URL.replace(/\/+$/, ''),
      phoneNumberId: account.WHATSAPP_PHONE_NUMBER_ID,
      token: account.WHATSAPP_TOKEN,
      appSecret: account.WHATSAPP_APP_SECRET,
      verifyToken: account.WHATSAPP_VERIFY_TOKEN,
      templateLanguage: values.WHATSAPP_TEMPLATE_LANGUAGE,
    }
  );
}

function isIpHost(address: string): boolean {
  return isIP(new URL(address).hostname.replaceAll(/[[\]]/g, '')) !== 0;
}

/** Commands that change the schema or the roles connect with other database roles. */
type DatabaseUrlName = keyof typeof commands.settings | 'DATABASE_URL';

export const findDatabaseUrl = (name: DatabaseUrlName): string | undefined =>
  process.env[name] || undefined;

export function readDatabaseUrl(name: DatabaseUrlName): string {
  const value = findDatabaseUrl(name);
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
