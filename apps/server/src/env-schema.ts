import * as z from 'zod/mini';
import { isEncryptionKeyList } from './platform/crypto/encryption.ts';

/**
 * Every environment variable, with what it means: `config.ts` reads by this list, and `npm run config:reference` writes
 * docs/configuration.md from it. A default, a limit or a word about a setting stands here and nowhere else.
 */
interface SettingDocs {
  /** Completes the sentence "this variable is …"; may hold Markdown. */
  readonly description: string;
  /** Never printed, never given a default: an operator makes or gets one. */
  readonly secret: boolean;
}
export const settingDocs = z.registry<SettingDocs>();

export interface SettingGroup {
  readonly title: string;
  /** What the group is for and what has to be done first. */
  readonly intro: string;
  readonly settings: Readonly<Record<string, z.ZodMiniType>>;
  /** Set together or not at all: half an account at a vendor works for nobody, and nobody would know why. */
  readonly allOrNone?: readonly string[];
}

export const setting = <Schema extends z.ZodMiniType>(schema: Schema, means: string): Schema => {
  settingDocs.add(schema, { description: means, secret: false });
  return schema;
};
const secret = <Schema extends z.ZodMiniType>(schema: Schema, means: string): Schema => {
  settingDocs.add(schema, { description: means, secret: true });
  return schema;
};

// Functions, because a schema that two settings shared could have one description only.
const url = () => z.string().check(z.url());
const urlOr = (address: string) => z._default(url(), address);
const port = () => z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 0);
const optionalText = (least: number) => z.optional(z.string().check(z.minLength(least)));

const required = {
  title: 'What every process needs',
  intro: 'API and worker take the same variables, these and those of the groups that follow.',
  settings: {
    DATABASE_URL: secret(
      url(),
      'connection as `lessonbook_app`, the role that owns nothing and is bound by row-level security',
    ),
    APP_URL: setting(
      url(),
      'the public address of the web app, as a browser sees it. Links in mails start with its origin, and requests that change something must come from it. With `https:` the cookie is `__Host-lessonbook` and Secure, else `lessonbook`. Passkeys belong to its host name; under a bare address such as 127.0.0.1 none are offered',
    ),
    SMTP_URL: secret(
      url(),
      'where mail is handed over, such as `smtps://user:password@mail.example`',
    ),
    MAIL_FROM: setting(
      z.string().check(z.minLength(3)),
      'the sender of every mail, such as `Lessonbook <book@lessonbook.example>`',
    ),
    SECRET_KEY: secret(
      z
        .string()
        .check(
          z.refine(
            (key) => Buffer.from(key, 'base64').length >= 32,
            'must be at least 32 bytes in base64',
          ),
        ),
      'at least 32 random bytes in base64. Tokens of mailed links and the secrets of a sign-in with Google are derived from it, and browsers that were logged in before are known by it; [keys](operating/keys.md) says what a new one breaks',
    ),
  },
} as const satisfies SettingGroup;

const optional = {
  title: 'What has a default',
  intro: '',
  settings: {
    HOST: setting(z._default(z.string(), '127.0.0.1'), 'the address to listen on'),
    PORT: setting(port(), "the API's port; 0 takes a free one"),
    WORKER_PORT: setting(
      port(),
      'where the worker answers `/healthz`, `/readyz` and `/metrics`; 0 takes a free one',
    ),
    DATABASE_POOL: setting(
      z._default(z.coerce.number().check(z.int(), z.minimum(2)), 10),
      'connections a process may hold for its own queries, at least 2; the queue holds a few more (2 in the API, 4 in the worker), and an API one more that listens for news',
    ),
    WEB_DIST: setting(
      z.optional(z.string()),
      'folder of the built web app; without it the API serves no pages',
    ),
    SERVICE_WORKER: setting(
      z._default(z.enum(['on', 'off']), 'on'),
      '`off` takes the service worker out of every browser that has one, at its next look for a new one',
    ),
    LOG_LEVEL: setting(
      z._default(z.enum(['silent', 'error', 'warn', 'info', 'debug']), 'info'),
      '`silent`, `error`, `warn`, `info` or `debug`',
    ),
    TRUSTED_PROXIES: setting(
      z._default(z.string(), ''),
      'addresses or networks of the proxies in front, with commas between; only they may say who the visitor is',
    ),
    METRICS_TOKEN: secret(
      optionalText(16),
      'at least 16 characters; `/metrics` then wants it as a bearer token. Without one it answers only 127.0.0.1',
    ),
    SEALING_KEYS: secret(
      z.optional(
        z
          .string()
          .check(z.refine(isEncryptionKeyList, 'must be name:base64 of 32 bytes, comma separated')),
      ),
      'keys that seal secrets which must be read again, as `name:base64` of 32 bytes each, with commas between. The first seals, all open; [keys](operating/keys.md) says how to change them. Without any, no authenticator app is offered as a second factor, and Google Calendar cannot be set up',
    ),
    DEMO_ACCOUNT: setting(
      z._default(z.enum(['yes', 'no']), 'no'),
      '`yes` shows the demo account on the login page. The tutor behind it is made by `npm run seed:demo`, and anew by the worker each night at 04:10 UTC',
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
      'who vouches; must be https, but for an address of this machine',
    ),
  },
} as const satisfies SettingGroup;

const stripe = {
  title: 'Stripe',
  intro:
    'Card payments need an account at Stripe with Connect ([how to](operating/vendors.md#stripe)). Without one there are none.',
  allOrNone: ['STRIPE_SECRET_KEY', 'STRIPE_ACCOUNT_SECRET', 'STRIPE_PAYMENT_SECRET'],
  settings: {
    STRIPE_SECRET_KEY: secret(
      z.optional(z.string().check(z.regex(/^(sk|rk)_(test|live)_/))),
      "the platform's secret or restricted key; its mode (test or live) is the mode of all events that are taken",
    ),
    STRIPE_ACCOUNT_SECRET: secret(
      optionalText(8),
      'signing secret of the event destination `/api/stripe/webhooks/accounts`',
    ),
    STRIPE_PAYMENT_SECRET: secret(
      optionalText(8),
      'signing secret of the event destination `/api/stripe/webhooks/payments`',
    ),
    STRIPE_URL: setting(urlOr('https://api.stripe.com'), 'where the API is asked'),
    STRIPE_DASHBOARD_URL: setting(
      urlOr('https://dashboard.stripe.com'),
      "where 'Manage Account' leads",
    ),
  },
} as const satisfies SettingGroup;

const googleCalendar = {
  title: 'Google Calendar',
  intro:
    'Needs a client at Google ([how to](operating/vendors.md#google-calendar)), and `SEALING_KEYS` beside it, which seal the refresh tokens of the tutors. Without it tutors still have the private calendar address.',
  allOrNone: ['GOOGLE_CALENDAR_CLIENT_ID', 'GOOGLE_CALENDAR_CLIENT_SECRET'],
  settings: {
    GOOGLE_CALENDAR_CLIENT_ID: setting(optionalText(8), "the OAuth client's id"),
    GOOGLE_CALENDAR_CLIENT_SECRET: secret(optionalText(8), 'its secret'),
    GOOGLE_CALENDAR_URL: setting(
      urlOr('https://www.googleapis.com/'),
      'where the Calendar API is asked',
    ),
    GOOGLE_CONSENT_URL: setting(
      urlOr('https://accounts.google.com/o/oauth2/v2/auth'),
      'where the browser is sent for consent',
    ),
    GOOGLE_TOKEN_URL: setting(
      urlOr('https://oauth2.googleapis.com/token'),
      'where codes and refresh tokens are exchanged',
    ),
    GOOGLE_REVOKE_URL: setting(
      urlOr('https://oauth2.googleapis.com/revoke'),
      "where a tutor's consent is given back",
    ),
  },
} as const satisfies SettingGroup;

const whatsApp = {
  title: 'WhatsApp',
  intro:
    "Reminders that go by themselves need an account at Meta; [whatsapp.md](whatsapp.md) has the set-up, the templates and the webhook. Without it, WhatsApp drafts wait in the tutor's tray.",
  allOrNone: [
    'WHATSAPP_PHONE_NUMBER_ID',
    'WHATSAPP_TOKEN',
    'WHATSAPP_APP_SECRET',
    'WHATSAPP_VERIFY_TOKEN',
  ],
  settings: {
    WHATSAPP_PHONE_NUMBER_ID: setting(
      z.optional(z.string().check(z.regex(/^\d+$/, 'must be digits'))),
      'the id (not the number) of the business number that reminders come from',
    ),
    WHATSAPP_TOKEN: secret(
      optionalText(1),
      'the lasting access token of a system user with the right `whatsapp_business_messaging`',
    ),
    WHATSAPP_APP_SECRET: secret(
      optionalText(16),
      "the app's secret, with which Meta signs webhooks",
    ),
    WHATSAPP_VERIFY_TOKEN: secret(
      z.optional(z.string().check(z.minLength(16), z.maxLength(200))),
      'a word of your own, 16 to 200 characters, that you also enter at Meta',
    ),
    WHATSAPP_TEMPLATE_LANGUAGE: setting(
      z._default(z.string().check(z.minLength(2)), 'en_GB'),
      'the language under which the templates were approved',
    ),
    WHATSAPP_URL: setting(
      urlOr('https://graph.facebook.com/v25.0'),
      "Meta's address with the version; raise it before Meta retires it",
    ),
  },
} as const satisfies SettingGroup;

const testOnly = {
  title: 'Rehearsals',
  intro: 'Refused unless `APP_URL` is an address of this machine.',
  settings: {
    RATE_LIMIT_FACTOR: setting(
      z._default(z.coerce.number().check(z.minimum(1)), 1),
      'multiplies every rate limit',
    ),
    CLOCK_START: setting(
      z.optional(z.iso.datetime()),
      'the clock starts at this instant (ISO 8601, UTC) and runs on from there',
    ),
  },
} as const satisfies SettingGroup;

/** What API and worker read. */
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

/** Commands that change the schema or the roles run as other roles, each from its own variable. */
export const commands = {
  title: 'Commands',
  intro:
    "Each is wanted by the command that it is for. API and worker do without them, and should: each opens more than one tutor's rows.",
  settings: {
    DATABASE_ADMIN_URL: secret(
      url(),
      "a superuser's connection, for `node apps/server/src/provision-database.ts [database]`, which makes the three roles and a database. Where the addresses of the three roles (`DATABASE_URL` and the two below) are set, the roles get the passwords in them; otherwise each gets a new one and the addresses are printed. Development and tests use this server too, where it is set, instead of starting one",
    ),
    DATABASE_OWNER_URL: secret(
      url(),
      'connection as `lessonbook_owner`, for `npm run migrate`, which changes the schema',
    ),
    DATABASE_MAINTENANCE_URL: secret(
      url(),
      'connection as `lessonbook_maintenance`, which reads past row-level security, for `npm run invariants`, `npm run restore:tutor`, checks and backfills',
    ),
    RESTORED_DATABASE_URL: secret(
      url(),
      'the copy that `npm run restore:tutor` takes a book from ([restore](operating/restore.md))',
    ),
  },
} as const satisfies SettingGroup;

export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
