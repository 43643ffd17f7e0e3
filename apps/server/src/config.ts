import { isIP } from 'node:net';
import * as z from 'zod/mini';
import type { SealingKey } from './platform/sealing.ts';

/**
 * Everything that differs between machines, read once. This is the only reader of `process.env`.
 * The descriptions are the configuration reference.
 */
const url = z.string().check(z.url());
const port = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 0);

const SEALING_KEYS_WANTED = 'must be name:base64 of 32 bytes, comma separated';

const Environment = z.object({
  /** Connection of API and worker: a role that owns nothing and cannot bypass row-level security. */
  DATABASE_URL: url,
  /** The public origin of the web app, as a browser sees it. Links in mails start with it. */
  APP_URL: url,
  HOST: z._default(z.string(), '127.0.0.1'),
  PORT: port,
  /** Where the worker answers /healthz, /readyz and /metrics. */
  WORKER_PORT: port,
  /** Connections a process may hold to PostgreSQL. */
  DATABASE_POOL: z._default(z.coerce.number().check(z.int(), z.minimum(2)), 10),
  SMTP_URL: url,
  /** The sender of every mail, for example `Lessonbook <book@lessonbook.example>`. */
  MAIL_FROM: z.string().check(z.minLength(3)),
  /** At least 32 random bytes in base64. Links in mails are derived from it; a mail that waits while it changes carries a dead link. */
  SECRET_KEY: z
    .string()
    .check(
      z.refine(
        (text) => Buffer.from(text, 'base64').length >= 32,
        'must be at least 32 bytes in base64',
      ),
    ),
  /** The platform's secret key at Stripe. Without it there are no card payments. */
  STRIPE_SECRET_KEY: z.optional(z.string().check(z.regex(/^(sk|rk)_(test|live)_/))),
  /** The signing secret of the endpoint /api/stripe/webhooks/accounts (thin events of accounts). */
  STRIPE_ACCOUNT_SECRET: z.optional(z.string().check(z.minLength(8))),
  /** The signing secret of the endpoint /api/stripe/webhooks/payments (events of connected accounts). */
  STRIPE_PAYMENT_SECRET: z.optional(z.string().check(z.minLength(8))),
  STRIPE_URL: z._default(url, 'https://api.stripe.com'),
  /** Where 'Manage Account' leads. */
  STRIPE_DASHBOARD_URL: z._default(url, 'https://dashboard.stripe.com'),
  /** The OAuth client with which tutors sign in by Google. Without it and its secret there is no such button. */
  GOOGLE_SIGN_IN_CLIENT_ID: z.optional(z.string().check(z.minLength(1))),
  GOOGLE_SIGN_IN_CLIENT_SECRET: z.optional(z.string().check(z.minLength(1))),
  /** Who vouches; plain http only on this machine. */
  GOOGLE_SIGN_IN_ISSUER: z._default(
    url.check(z.refine((text) => text.startsWith('https:') || isLoopback(text), 'must be https')),
    'https://accounts.google.com',
  ),
  /** The client of a Google project with the Calendar API and the scope `calendar.app.created`. With the secret, and SEALING_KEYS beside: all or none. */
  GOOGLE_CALENDAR_CLIENT_ID: z.optional(z.string().check(z.minLength(8))),
  GOOGLE_CALENDAR_CLIENT_SECRET: z.optional(z.string().check(z.minLength(8))),
  /**
   * Keys that seal secrets which we must be able to read again, as `name:base64` of 32 bytes each, comma separated. The first
   * seals, all open: to change the key, put a new one in front and take the old one out two days later. Without any there is
   * no Google Calendar and no authenticator app as a second factor.
   */
  SEALING_KEYS: z.optional(z.string().check(z.refine(areSealingKeys, SEALING_KEYS_WANTED))),
  GOOGLE_CALENDAR_URL: z._default(url, 'https://www.googleapis.com/'),
  GOOGLE_CONSENT_URL: z._default(url, 'https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: z._default(url, 'https://oauth2.googleapis.com/token'),
  GOOGLE_REVOKE_URL: z._default(url, 'https://oauth2.googleapis.com/revoke'),
  /** WhatsApp's Graph address with its version. */
  WHATSAPP_URL: z._default(url, 'https://graph.facebook.com/v25.0'),
  /** The id (not the number) of the business number that reminders come from. With the next three: all or none. */
  WHATSAPP_PHONE_NUMBER_ID: z.optional(z.string().check(z.regex(/^\d+$/, 'must be digits'))),
  /** A lasting access token of a system user with the right `whatsapp_business_messaging`. */
  WHATSAPP_TOKEN: z.optional(z.string().check(z.minLength(1))),
  /** The app's secret: WhatsApp signs every webhook with it. */
  WHATSAPP_APP_SECRET: z.optional(z.string().check(z.minLength(16))),
  /** A word of your own choice, entered beside the webhook's address at Meta. */
  WHATSAPP_VERIFY_TOKEN: z.optional(z.string().check(z.minLength(16), z.maxLength(200))),
  /** The language under which the two templates were approved. */
  WHATSAPP_TEMPLATE_LANGUAGE: z._default(z.string().check(z.minLength(2)), 'en_GB'),
  /** The folder of the built web app; without it the API serves no pages. */
  WEB_DIST: z.optional(z.string()),
  LOG_LEVEL: z._default(z.enum(['silent', 'error', 'warn', 'info', 'debug']), 'info'),
  /** Addresses of the proxies in front, comma separated. Only they may say who the visitor is. */
  TRUSTED_PROXIES: z._default(z.string(), ''),
  /** Who reads /metrics sends this as a bearer token. Without it only this machine itself may. */
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16))),
  /** `yes` shows the demo account on the login page. */
  DEMO_ACCOUNT: z._default(z.enum(['yes', 'no']), 'no'),
  /** Multiplies every rate limit, for tests and load runs on this machine only. */
  RATE_LIMIT_FACTOR: z._default(z.coerce.number().check(z.minimum(1)), 1),
  /** Starts the clock at this instant, for rehearsals on this machine only. */
  CLOCK_START: z.optional(z.iso.datetime()),
});

export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: Record<string, string | undefined> = process.env) {
  const parsed = Environment.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((i) => `  ${i.path.join('.')}: ${i.message}`);
    throw new Error(`The configuration is not complete:\n${problems.join('\n')}`);
  }
  const values = parsed.data;
  const origin = new URL(values.APP_URL).origin;
  const secure = origin.startsWith('https:');
  const rehearsal = values.CLOCK_START !== undefined || values.RATE_LIMIT_FACTOR !== 1;
  if (rehearsal && !isLoopback(values.APP_URL)) {
    throw new Error(
      'CLOCK_START and RATE_LIMIT_FACTOR are for rehearsals: APP_URL must be an address of this machine',
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
    stripe: stripeIn(values),
    googleSignIn: googleSignInIn(values),
    googleCalendar: googleCalendarIn(values, origin),
    sealingKeys: sealingKeysIn(values.SEALING_KEYS ?? ''),
    // A passkey belongs to a name; a site that is reached by a bare address can have none.
    passkeyDomain: isBareAddress(values.APP_URL) ? null : new URL(origin).hostname,
    whatsApp: whatsAppIn(values),
    secretKey: Buffer.from(values.SECRET_KEY, 'base64'),
    webDist: values.WEB_DIST,
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES.split(',')
      .map((a) => a.trim())
      .filter(Boolean),
    metricsToken: values.METRICS_TOKEN,
    // The __Host- prefix needs https; a browser on a plain-http development machine would drop it.
    cookie: { name: secure ? '__Host-lessonbook' : 'lessonbook', secure },
    demoAccount: values.DEMO_ACCOUNT === 'yes',
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    clockStart: values.CLOCK_START,
  };
}

/** An account at a vendor is configured whole or not at all: with half of one, nothing would work and nobody know why. */
function wholeOrNone<Name extends string>(
  vendor: string,
  settings: Record<Name, string | undefined>,
): Record<Name, string> | null {
  const missing = Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === Object.keys(settings).length) return null;
  if (missing.length > 0) {
    throw new Error(
      `${vendor} needs all of its settings or none: ${missing.join(', ')} is missing`,
    );
  }
  return settings as Record<Name, string>;
}

/** Without an account at Stripe there are no card payments. */
function stripeIn(values: z.infer<typeof Environment>) {
  const { STRIPE_SECRET_KEY, STRIPE_ACCOUNT_SECRET, STRIPE_PAYMENT_SECRET } = values;
  const account = wholeOrNone('Stripe', {
    STRIPE_SECRET_KEY,
    STRIPE_ACCOUNT_SECRET,
    STRIPE_PAYMENT_SECRET,
  });
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

/** Without a client at Google tutors come in by password alone. */
function googleSignInIn(values: z.infer<typeof Environment>) {
  const { GOOGLE_SIGN_IN_CLIENT_ID, GOOGLE_SIGN_IN_CLIENT_SECRET } = values;
  const client = wholeOrNone('Sign-in with Google', {
    GOOGLE_SIGN_IN_CLIENT_ID,
    GOOGLE_SIGN_IN_CLIENT_SECRET,
  });
  return (
    client && {
      clientId: client.GOOGLE_SIGN_IN_CLIENT_ID,
      clientSecret: client.GOOGLE_SIGN_IN_CLIENT_SECRET,
      issuer: values.GOOGLE_SIGN_IN_ISSUER,
    }
  );
}

/** Without a client at Google there is the private feed alone. */
function googleCalendarIn(values: z.infer<typeof Environment>, origin: string) {
  const { GOOGLE_CALENDAR_CLIENT_ID, GOOGLE_CALENDAR_CLIENT_SECRET, SEALING_KEYS } = values;
  // Sealing keys alone are no half of a client: authenticator apps need them too.
  if (!GOOGLE_CALENDAR_CLIENT_ID && !GOOGLE_CALENDAR_CLIENT_SECRET) return null;
  const client = wholeOrNone('Google Calendar', {
    GOOGLE_CALENDAR_CLIENT_ID,
    GOOGLE_CALENDAR_CLIENT_SECRET,
    SEALING_KEYS,
  });
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

const sealingKeysIn = (text: string): SealingKey[] =>
  text
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [name = '', key = ''] = entry.trim().split(':');
      return { name, key: Buffer.from(key, 'base64') };
    });

function areSealingKeys(text: string): boolean {
  const keys = sealingKeysIn(text);
  return keys.length > 0 && keys.every(({ name, key }) => /^\w+$/.test(name) && key.length === 32);
}

/** Without an account at WhatsApp every message waits in the tray. */
function whatsAppIn(values: z.infer<typeof Environment>) {
  const { WHATSAPP_PHONE_NUMBER_ID, WHATSAPP_TOKEN } = values;
  const { WHATSAPP_APP_SECRET, WHATSAPP_VERIFY_TOKEN } = values;
  const account = wholeOrNone('WhatsApp', {
    WHATSAPP_PHONE_NUMBER_ID,
    WHATSAPP_TOKEN,
    WHATSAPP_APP_SECRET,
    WHATSAPP_VERIFY_TOKEN,
  });
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

function isBareAddress(address: string): boolean {
  return isIP(new URL(address).hostname.replaceAll(/[[\]]/g, '')) !== 0;
}

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Commands that change the schema or the roles run as other roles, each from its own variable. */
export function readDatabaseUrl(
  name: 'DATABASE_ADMIN_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_MAINTENANCE_URL',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
