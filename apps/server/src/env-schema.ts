import * as z from 'zod/mini';
import { isEncryptionKeyList } from './platform/crypto/encryption.ts';

/**
 * All environment variables and their documentation. `config.ts` validates against these schemas, and
 * `npm run config:reference` generates docs/configuration.md from them.
 */
interface SettingDocs {
  /** Completes the sentence "this variable is …"; may contain Markdown. */
  readonly description: string;
  /** Secrets are never printed and have no default. */
  readonly secret: boolean;
}
export const settingDocs = z.registry<SettingDocs>();

export interface SettingGroup {
  readonly title: string;
  readonly intro: string;
  readonly settings: Readonly<Record<string, z.ZodMiniType>>;
  /** These variables must be set together or not at all. */
  readonly allOrNone?: readonly string[];
}

export const setting = <Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
): Schema => {
  settingDocs.add(schema, { description, secret: false });
  return schema;
};
const secret = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema => {
  settingDocs.add(schema, { description, secret: true });
  return schema;
};

export const isLoopback = (address: string): boolean =>
  /^(localhost|\[::1\]|127\..*)$/.test(new URL(address).hostname);

// These are functions because the registry holds one description per schema object.
const url = () => z.string().check(z.url());
const urlWithDefault = (address: string) => z._default(url(), address);
const port = () => z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 0);
const base64Key = () =>
  z
    .string()
    .check(
      z.refine(
        (key) => Buffer.from(key, 'base64').length >= 32,
        'must be at least 32 bytes in base64',
      ),
    );
const optionalText = (minLength: number) => z.optional(z.string().check(z.minLength(minLength)));

const required = {
  title: 'Required',
  intro: 'API and worker read the same variables: these and those of the groups that follow.',
  settings: {
    DATABASE_URL: secret(
      url(),
      'connection as `lessonbook_app`, the role that owns nothing and is subject to row-level security',
    ),
    APP_URL: setting(
      url(),
      'the public URL of the web app, as a browser sees it. Links in emails start with its origin, and requests that change something must come from it. With `https:` the cookie is `__Host-lessonbook` and Secure, else `lessonbook`. Passkeys belong to its host name; with an IP address such as 127.0.0.1 none are offered',
    ),
    SMTP_URL: secret(url(), 'the SMTP server, such as `smtps://user:password@mail.example`'),
    MAIL_FROM: setting(
      z.string().check(z.minLength(3)),
      'the sender of every mail, such as `Lessonbook <book@lessonbook.example>`',
    ),
    SECRET_KEY: secret(
      base64Key(),
      'at least 32 random bytes in base64. Tokens of links, the secrets of a sign-in with Google and the cookies of trusted devices are derived from it; [keys](operating/keys.md) says what a new one breaks',
    ),
  },
} as const satisfies SettingGroup;

const optional = {
  title: 'Optional',
  intro: '',
  settings: {
    HOST: setting(z._default(z.string(), '127.0.0.1'), 'the address to listen on'),
    PORT: setting(port(), "the API's port; 0 picks a free one"),
    WORKER_PORT: setting(
      port(),
      "the worker's port for `/healthz`, `/readyz` and `/metrics`; 0 picks a free one",
    ),
    DATABASE_POOL: setting(
      z._default(z.coerce.number().check(z.int(), z.minimum(2)), 10),
      'maximum connections of a process for its own queries, at least 2; the queue uses a few more (2 in the API, 4 in the worker), and each process one for LISTEN and one for the heartbeat',
    ),
    DATABASE_LISTEN_URL: secret(
      z.optional(url()),
      'the direct address of PostgreSQL, where `DATABASE_URL` is that of PgBouncer; the queue and LISTEN use it, because neither works through a pooler in transaction mode',
    ),
    WEB_DIST: setting(
      z.optional(z.string()),
      'folder of the built web app; without it the API serves no pages',
    ),
    SERVICE_WORKER: setting(
      z._default(z.enum(['on', 'off']), 'on'),
      '`off` unregisters the service worker in every browser at its next update check',
    ),
    LOG_LEVEL: setting(
      z._default(z.enum(['silent', 'error', 'warn', 'info', 'debug']), 'info'),
      '`silent`, `error`, `warn`, `info` or `debug`',
    ),
    TRUSTED_PROXIES: setting(
      z._default(z.string(), ''),
      'addresses or networks of the reverse proxies, separated by commas; only their `X-Forwarded-For` is used',
    ),
    METRICS_TOKEN: secret(
      optionalText(16),
      'at least 16 characters; `/metrics` requires it as a bearer token. Without one, `/metrics` is off unless `APP_URL` is a loopback address',
    ),
    ENCRYPTION_KEYS: secret(
      z.optional(
        z
          .string()
          .check(z.refine(isEncryptionKeyList, 'must be name:base64 of 32 bytes, comma separated')),
      ),
      'keys that encrypt stored secrets, as `name:base64` of 32 bytes each, separated by commas. The first encrypts, all decrypt; [keys](operating/keys.md) says how to rotate them. Without any, no authenticator app is offered as a second factor, and Google Calendar cannot be configured',
    ),
    PREVIOUS_SECRET_KEY: secret(
      z.optional(base64Key()),
      'the `SECRET_KEY` before the last rotation: payment links and calendar addresses made with it keep working. Remove it if it has leaked',
    ),
    DEMO_ACCOUNT: setting(
      z._default(z.enum(['yes', 'no']), 'no'),
      '`yes` shows the demo account on the login page. `npm run seed:demo` creates it, and the worker recreates it each night at 04:10 UTC',
    ),
  },
} as const satisfies SettingGroup;

const googleSignIn = {
  title: 'Sign-in with Google',
  intro:
    'Needs an OAuth client at Google ([how to](operating/vendors.md#sign-in-with-google)). Without one the buttons are not shown.',
  allOrNone: ['GOOGLE_SIGN_IN_CLIENT_ID', 'GOOGLE_SIGN_IN_CLIENT_SECRET'],
  settings: {
    GOOGLE_SIGN_IN_CLIENT_ID: setting(optionalText(1), "the client's id"),
    GOOGLE_SIGN_IN_CLIENT_SECRET: secret(optionalText(1), 'its secret'),
    GOOGLE_SIGN_IN_ISSUER: setting(
      z._default(
        url().check(
          z.refine(
            (address) => address.startsWith('https:') || isLoopback(address),
            'must be https',
          ),
        ),
        'https://accounts.google.com',
      ),
      'the OpenID issuer; must be https, except for a loopback address',
    ),
  },
} as const satisfies SettingGroup;

const stripe = {
  title: 'Stripe',
  intro:
    'Card payments need a Stripe account with Connect ([how to](operating/vendors.md#stripe)).',
  allOrNone: ['STRIPE_SECRET_KEY', 'STRIPE_ACCOUNT_SECRET', 'STRIPE_PAYMENT_SECRET'],
  settings: {
    STRIPE_SECRET_KEY: secret(
      z.optional(z.string().check(z.regex(/^(sk|rk)_(test|live)_/))),
      "the platform's secret or restricted key; only events of its mode (test or live) are accepted",
    ),
    STRIPE_ACCOUNT_SECRET: secret(
      optionalText(8),
      'signing secret of the event destination `/api/stripe/webhooks/accounts`',
    ),
    STRIPE_PAYMENT_SECRET: secret(
      optionalText(8),
      'signing secret of the event destination `/api/stripe/webhooks/payments`',
    ),
    STRIPE_URL: setting(urlWithDefault('https://api.stripe.com'), 'the base URL of the API'),
    STRIPE_DASHBOARD_URL: setting(
      urlWithDefault('https://dashboard.stripe.com'),
      "the URL behind 'Manage Account'",
    ),
  },
} as const satisfies SettingGroup;

const googleCalendar = {
  title: 'Google Calendar',
  intro:
    'Needs an OAuth client at Google ([how to](operating/vendors.md#google-calendar)), and `ENCRYPTION_KEYS` for the refresh tokens of the tutors. Without it tutors still have the private calendar feed.',
  allOrNone: ['GOOGLE_CALENDAR_CLIENT_ID', 'GOOGLE_CALENDAR_CLIENT_SECRET'],
  settings: {
    GOOGLE_CALENDAR_CLIENT_ID: setting(optionalText(8), "the OAuth client's id"),
    GOOGLE_CALENDAR_CLIENT_SECRET: secret(optionalText(8), 'its secret'),
    GOOGLE_CALENDAR_URL: setting(
      urlWithDefault('https://www.googleapis.com/'),
      'the base URL of the Calendar API',
    ),
    GOOGLE_CONSENT_URL: setting(
      urlWithDefault('https://accounts.google.com/o/oauth2/v2/auth'),
      'the consent page',
    ),
    GOOGLE_TOKEN_URL: setting(
      urlWithDefault('https://oauth2.googleapis.com/token'),
      'the token endpoint',
    ),
    GOOGLE_REVOKE_URL: setting(
      urlWithDefault('https://oauth2.googleapis.com/revoke'),
      'the endpoint that revokes a token',
    ),
  },
} as const satisfies SettingGroup;

const whatsApp = {
  title: 'WhatsApp',
  intro:
    "Automatic reminders, and families who sign in with a phone number, need an account at Meta; [whatsapp.md](operating/whatsapp.md) describes the set-up, the templates and the webhook. Without it, WhatsApp messages stay drafts in the tutor's outbox.",
  allOrNone: [
    'WHATSAPP_PHONE_NUMBER_ID',
    'WHATSAPP_TOKEN',
    'WHATSAPP_APP_SECRET',
    'WHATSAPP_VERIFY_TOKEN',
  ],
  settings: {
    WHATSAPP_PHONE_NUMBER_ID: setting(
      z.optional(z.string().check(z.regex(/^\d+$/, 'must be digits'))),
      'the id (not the number) of the business phone number',
    ),
    WHATSAPP_TOKEN: secret(
      optionalText(1),
      'the permanent access token of a system user with the permission `whatsapp_business_messaging`',
    ),
    WHATSAPP_APP_SECRET: secret(
      optionalText(16),
      "the app's secret, with which Meta signs webhooks",
    ),
    WHATSAPP_VERIFY_TOKEN: secret(
      z.optional(z.string().check(z.minLength(16), z.maxLength(200))),
      'a random string of 16 to 200 characters that you also enter at Meta',
    ),
    WHATSAPP_TEMPLATE_LANGUAGE: setting(
      z._default(z.string().check(z.minLength(2)), 'en_GB'),
      'the language under which the templates were approved',
    ),
    WHATSAPP_URL: setting(
      urlWithDefault('https://graph.facebook.com/v25.0'),
      "the base URL of Meta's API with its version; update it before Meta retires the version",
    ),
  },
} as const satisfies SettingGroup;

const testOnly = {
  title: 'Tests',
  intro: 'Rejected unless `APP_URL` is a loopback address.',
  settings: {
    RATE_LIMIT_FACTOR: setting(
      z._default(z.coerce.number().check(z.minimum(1)), 1),
      'multiplies every rate limit',
    ),
    CLOCK_START: setting(
      z.optional(z.iso.datetime()),
      'the clock starts at this instant (ISO 8601, UTC)',
    ),
  },
} as const satisfies SettingGroup;

export const vendors = { googleSignIn, stripe, googleCalendar, whatsApp };
export const processGroups = [required, optional, ...Object.values(vendors), testOnly] as const;

export const Environment = z.object({
  ...required.settings,
  ...optional.settings,
  ...googleSignIn.settings,
  ...stripe.settings,
  ...googleCalendar.settings,
  ...whatsApp.settings,
  ...testOnly.settings,
});

/** Commands that change the schema or the roles connect as different database roles. */
export const commands = {
  title: 'Commands',
  intro:
    'Set these only for the commands that need them, never for API and worker: each gives access to the rows of all tutors.',
  settings: {
    DATABASE_ADMIN_URL: secret(
      url(),
      "a superuser's connection, for `node apps/server/src/provision-database.ts [database]`, which creates the three roles and a database. If the URLs of the three roles (`DATABASE_URL` and the two below) are set, the roles get the passwords in them; otherwise each gets a random one and the URLs are printed. If set, development and tests use this server too instead of starting one",
    ),
    DATABASE_OWNER_URL: secret(
      url(),
      'connection as `lessonbook_owner`, for `npm run migrate`, which changes the schema',
    ),
    DATABASE_MAINTENANCE_URL: secret(
      url(),
      'connection as `lessonbook_maintenance`, which bypasses row-level security, for `npm run invariants`, `npm run restore:tutor`, `npm run move-tutor`, checks and backfills',
    ),
    RESTORED_DATABASE_URL: secret(
      url(),
      "the restored backup that `npm run restore:tutor` copies a tutor's data from ([restore](operating/restore.md))",
    ),
  },
} as const satisfies SettingGroup;
