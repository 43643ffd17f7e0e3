import { isIP } from 'node:net';
import type * as z from 'zod/mini';
import { type commands, Environment, isLoopback, vendors } from './env-schema.ts';
import { parseEncryptionKeys } from './platform/crypto/encryption.ts';

/** Reads and validates the environment variables defined in env-schema.ts. No other file reads `process.env`. */

type Values = z.infer<typeof Environment>;
export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: Record<string, string | undefined> = process.env) {
  const parsed = Environment.safeParse(dropEmptyValues(env));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((i) => `  ${i.path.join('.')}: ${i.message}`);
    throw new Error(`The configuration is invalid:\n${problems.join('\n')}`);
  }
  const values = parsed.data;
  const origin = new URL(values.APP_URL).origin;
  const secure = origin.startsWith('https:');
  const usesTestSettings = values.CLOCK_START !== undefined || values.RATE_LIMIT_FACTOR !== 1;
  if (usesTestSettings && !isLoopback(values.APP_URL)) {
    throw new Error(
      'CLOCK_START and RATE_LIMIT_FACTOR are for tests only: APP_URL must be a loopback address',
    );
  }
  return {
    databaseUrl: values.DATABASE_URL,
    databaseListenUrl: values.DATABASE_LISTEN_URL ?? values.DATABASE_URL,
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
    // A passkey is bound to a domain name; WebAuthn does not allow IP addresses.
    passkeyDomain: isIpHost(values.APP_URL) ? null : new URL(origin).hostname,
    whatsApp: readWhatsApp(values),
    secretKey: Buffer.from(values.SECRET_KEY, 'base64'),
    previousSecretKey:
      values.PREVIOUS_SECRET_KEY === undefined
        ? null
        : Buffer.from(values.PREVIOUS_SECRET_KEY, 'base64'),
    webDist: values.WEB_DIST,
    serviceWorker: values.SERVICE_WORKER === 'on',
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES.split(',')
      .map((a) => a.trim())
      .filter(Boolean),
    metricsToken: values.METRICS_TOKEN,
    // Behind a proxy on the same machine, every visitor appears to come from 127.0.0.1.
    allowLocalMetrics: isLoopback(values.APP_URL),
    // The __Host- prefix requires https; over plain http the browser discards the cookie.
    cookie: { name: secure ? '__Host-lessonbook' : 'lessonbook', secure },
    demoAccount: values.DEMO_ACCOUNT === 'yes',
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    clockStart: values.CLOCK_START,
  };
}

/** `NAME=` counts as unset, because that is how Compose passes unset optional variables. */
function dropEmptyValues(
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** Throws if only some of a vendor's settings are present. */
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

/** Returns null if card payments are not configured. */
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

/** Returns null if Google sign-in is not configured. */
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

/** Returns null if Google Calendar is not configured. */
function readGoogleCalendar(values: Values, origin: string) {
  const { title, allOrNone } = vendors.googleCalendar;
  // Encryption keys on their own are allowed, because authenticator apps need them too.
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

/** Returns null if automatic WhatsApp messages are not configured. */
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

/** Reads from an installation's `.env` the settings that `npm run move-tutor` needs. */
export function readInstallation(env: Record<string, string | undefined>) {
  const { origin, secretKey, previousSecretKey, encryptionKeys } = readConfig(env);
  const databaseUrl = env['DATABASE_MAINTENANCE_URL'];
  if (!databaseUrl) throw new Error('DATABASE_MAINTENANCE_URL is not set');
  return { databaseUrl, origin, secretKey, previousSecretKey, encryptionKeys };
}

/** Commands that change the schema or the roles connect as different database roles. */
type DatabaseUrlName = keyof typeof commands.settings | 'DATABASE_URL';

export const findDatabaseUrl = (name: DatabaseUrlName): string | undefined =>
  process.env[name] || undefined;

export function readDatabaseUrl(name: DatabaseUrlName): string {
  const value = findDatabaseUrl(name);
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
