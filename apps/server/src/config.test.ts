import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const minimal = {
  DATABASE_URL: 'postgres://localhost/lessonbook',
  APP_URL: 'https://lessonbook.example',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
};
const account = {
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_TOKEN: 'a-token',
  WHATSAPP_APP_SECRET: '0123456789abcdef',
  WHATSAPP_VERIFY_TOKEN: 'a-random-verify-token',
};

test('the queue and LISTEN use DATABASE_URL unless DATABASE_LISTEN_URL is set', () => {
  expect(readConfig(minimal).databaseListenUrl).toBe(minimal.DATABASE_URL);
  const direct = 'postgres://database.example/lessonbook';
  const config = readConfig({ ...minimal, DATABASE_LISTEN_URL: direct });
  expect(config).toMatchObject({ databaseUrl: minimal.DATABASE_URL, databaseListenUrl: direct });
});

test('WhatsApp needs all of its settings or none, and the error names the missing one', () => {
  expect(readConfig(minimal).whatsApp).toBeNull();
  expect(readConfig({ ...minimal, ...account }).whatsApp).toMatchObject({
    url: 'https://graph.facebook.com/v25.0',
    phoneNumberId: '106540352242922',
    templateLanguage: 'en_GB',
  });
  for (const name of Object.keys(account)) {
    expect(() => readConfig({ ...minimal, ...account, [name]: undefined })).toThrow(
      `WhatsApp needs all of its settings or none: ${name} is missing`,
    );
  }
});

test('Google sign-in needs all of its settings or none, and its issuer must use https except on loopback', () => {
  const client = { GOOGLE_SIGN_IN_CLIENT_ID: 'an-id', GOOGLE_SIGN_IN_CLIENT_SECRET: 'a-secret' };
  expect(readConfig(minimal).googleSignIn).toBeNull();
  expect(readConfig({ ...minimal, ...client }).googleSignIn).toEqual({
    clientId: 'an-id',
    clientSecret: 'a-secret',
    issuer: 'https://accounts.google.com',
  });
  expect(() => readConfig({ ...minimal, GOOGLE_SIGN_IN_CLIENT_ID: 'an-id' })).toThrow(
    'Sign-in with Google needs all of its settings or none: GOOGLE_SIGN_IN_CLIENT_SECRET is missing',
  );
  const issuer = (url: string) => readConfig({ ...minimal, GOOGLE_SIGN_IN_ISSUER: url });
  expect(() => issuer('http://accounts.google.com')).toThrow('must be https');
  expect(() => issuer('http://127.0.0.1:9000')).not.toThrow();
});

test('encryption keys may be set without Google Calendar, but Google Calendar requires them', () => {
  const keys = { ENCRYPTION_KEYS: `one:${Buffer.alloc(32).toString('base64')}` };
  const client = {
    GOOGLE_CALENDAR_CLIENT_ID: 'a-client-id',
    GOOGLE_CALENDAR_CLIENT_SECRET: 'a-client-secret',
  };
  expect(readConfig({ ...minimal, ...keys })).toMatchObject({ googleCalendar: null });
  expect(readConfig({ ...minimal, ...keys }).encryptionKeys).toHaveLength(1);
  expect(readConfig(minimal).encryptionKeys).toEqual([]);
  expect(readConfig({ ...minimal, ...keys, ...client }).googleCalendar).not.toBeNull();
  expect(() => readConfig({ ...minimal, ...client })).toThrow('ENCRYPTION_KEYS is missing');
  expect(() => readConfig({ ...minimal, ENCRYPTION_KEYS: 'one:c2hvcnQ=' })).toThrow('32 bytes');
});

test.each([
  ['https://book.example', 'book.example'],
  ['http://localhost:5173', 'localhost'],
  ['http://127.0.0.1:3000', null],
  ['http://[::1]:3000', null],
])('the passkey domain for %s is %s', (url, domain) => {
  expect(readConfig({ ...minimal, APP_URL: url }).passkeyDomain).toBe(domain);
});

test('an empty variable counts as unset', () => {
  const empty = { METRICS_TOKEN: '', STRIPE_SECRET_KEY: '', DATABASE_POOL: '', WEB_DIST: '' };
  expect(readConfig({ ...minimal, ...empty })).toEqual(readConfig(minimal));
  expect(() => readConfig({ ...minimal, SECRET_KEY: '' })).toThrow('SECRET_KEY');
});
