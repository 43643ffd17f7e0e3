import { type FakeWhatsApp, startWhatsApp, type WhatsAppFault } from '@lessonbook/fakes/whatsapp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { classifyError, whatsAppCloud } from './whatsapp.ts';
import { hasValidSignature, parseWebhook } from './whatsapp-webhook.ts';

let standIn: FakeWhatsApp;
beforeAll(async () => {
  standIn = await startWhatsApp({ templates: { lesson_reminder: 'Hello {{1}}: {{2}}.' } });
});
afterAll(() => standIn.stop());
afterEach(() => standIn.clearTrouble());

const message = {
  to: '447700900123',
  template: 'lesson_reminder',
  parameters: ['Ruth', 'Maya at 4'],
  reference: 'a-public-id',
};
const account = (change: object = {}) => ({
  url: standIn.url,
  ...standIn.account,
  templateLanguage: 'en_GB',
  ...change,
});
const captureError = (change: object = {}, other: object = {}) =>
  whatsAppCloud(account(other))
    .send({ ...message, ...change })
    .then(
      () => 'went',
      (error: { why: string }) => error.why,
    );

describe('sending', () => {
  test('gives the id under which it was taken', async () => {
    const id = await whatsAppCloud(account()).send(message);
    expect(standIn.taken().at(-1)).toMatchObject({
      id,
      to: '447700900123',
      text: 'Hello Ruth: Maya at 4.',
      reference: 'a-public-id',
    });
  });

  test.each<[WhatsAppFault, string]>([
    [{ status: 400, code: 131026 }, 'number'],
    [{ status: 400, code: 131050 }, 'opted out'],
    [{ status: 429, code: 130429 }, 'later'],
    [{ status: 400, code: 131056 }, 'later'],
    [{ status: 500, code: 131000 }, 'later'],
    [{ status: 503, code: 987654 }, 'later'],
    [{ status: 400, code: 987654 }, 'message'],
    [{ status: 403, code: 10 }, 'setup'],
    [{ status: 404, code: 132001 }, 'setup'],
    ['hang', 'later'],
    ['reset', 'later'],
    ['done then reset', 'later'],
  ])('%j: %s', async (trouble, why) => {
    standIn.trouble(trouble);
    expect(await captureError({}, trouble === 'hang' ? { timeoutMs: 300 } : {})).toBe(why);
  });

  test('a wrong token is a fault of the setup, and nobody there is worth another try', async () => {
    expect(await captureError({}, { token: 'another' })).toBe('setup');
    expect(await captureError({}, { url: 'http://127.0.0.1:1/v25.0' })).toBe('later');
  });

  test.each([
    ['a line break', { parameters: ['Ruth', 'a\nb'] }, 'message'],
    ['too many spaces', { parameters: ['Ruth', 'a     b'] }, 'message'],
    ['too few parameters', { parameters: ['Ruth'] }, 'message'],
    ['nothing in a parameter', { parameters: ['Ruth', ''] }, 'message'],
    ['a template nobody approved', { template: 'other' }, 'setup'],
    ['a number with a plus', { to: '+447700900123' }, 'message'],
  ])('the stand-in refuses %s', async (_, change, why) => {
    const before = standIn.taken().length;
    expect(await captureError(change)).toBe(why);
    expect(standIn.taken()).toHaveLength(before);
  });

  test('what is thrown holds neither the number nor the token', async () => {
    standIn.trouble({ status: 400, code: 131026 });
    const error: unknown = await whatsAppCloud(account())
      .send(message)
      .catch((thrown: unknown) => thrown);
    const said = `${String(error)} ${JSON.stringify(error)}`;
    expect(said).toContain('131026');
    expect(said).not.toMatch(/447700900123|a-token/);
  });

  test('a code of a webhook has no status', () => {
    expect([131026, 131050, 131049, 987654].map((code) => classifyError(code))).toEqual([
      'number',
      'opted out',
      'later',
      'later',
    ]);
  });
});

describe('webhooks', () => {
  test('a signature holds for the very text, the very secret and in full', () => {
    const body = '{"a": 1}';
    const good = standIn.webhooks.sign(body);
    const { appSecret } = standIn.account;
    expect(hasValidSignature(appSecret, body, good)).toBe(true);
    expect(hasValidSignature(appSecret, '{"a":1}', good)).toBe(false);
    expect(hasValidSignature(appSecret, body, good.slice(0, -1))).toBe(false);
    expect(hasValidSignature(appSecret, body, good.replace('sha256=', ''))).toBe(false);
    expect(hasValidSignature(appSecret, body, '')).toBe(false);
    expect(hasValidSignature('another', body, good)).toBe(false);
  });

  test('kinds of news that we do not know are left out, and no webhook at all is null', () => {
    const { phoneNumberId } = standIn.account;
    const value = {
      metadata: { phone_number_id: phoneNumberId },
      statuses: [{ id: 'wamid.1', status: 'sent' }, { id: 5 }, null, { id: 'a b', status: 'sent' }],
      messages: [{ type: 'image' }, 7],
    };
    const changes = [
      { field: 'messages', value },
      { field: 'account_update', value },
      { field: 'messages', value: 5 },
    ];
    expect(parseWebhook(JSON.stringify({ entry: [{ changes }] }), phoneNumberId)).toEqual({
      news: [{ vendorId: 'wamid.1', reference: null, status: 'sent', code: null }],
      letters: [],
    });
    for (const raw of ['', 'no', '5', 'null', '{}', '{"entry":{}}', '[]'])
      expect(parseWebhook(raw, phoneNumberId)).toBeNull();
  });
});
