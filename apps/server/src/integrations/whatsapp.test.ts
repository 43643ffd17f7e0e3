import { type FakeWhatsApp, startWhatsApp, type WhatsAppFault } from '@lessonbook/fakes/whatsapp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { classifyError, whatsAppCloud } from './whatsapp.ts';
import { hasValidSignature, parseWebhook } from './whatsapp-webhook.ts';

let fake: FakeWhatsApp;
beforeAll(async () => {
  fake = await startWhatsApp({
    templates: { lesson_reminder: 'Hello {{1}}: {{2}}.' },
    authenticationTemplates: { sign_in_code: '{{1}} is your verification code.' },
  });
});
afterAll(() => fake.stop());
afterEach(() => fake.clearFaults());

const message = {
  to: '447700900123',
  template: 'lesson_reminder',
  parameters: ['Ruth', 'Maya at 4'],
  reference: 'a-public-id',
};
const account = (change: object = {}) => ({
  url: fake.url,
  ...fake.account,
  templateLanguage: 'en_GB',
  ...change,
});
const captureError = (change: object = {}, other: object = {}) =>
  whatsAppCloud(account(other))
    .send({ ...message, ...change })
    .then(
      () => 'sent',
      (error: { reason: string }) => error.reason,
    );

describe('sending', () => {
  test("returns WhatsApp's message id", async () => {
    const id = await whatsAppCloud(account()).send(message);
    expect(fake.accepted().at(-1)).toMatchObject({
      id,
      to: '447700900123',
      text: 'Hello Ruth: Maya at 4.',
      reference: 'a-public-id',
    });
  });

  test.each<[WhatsAppFault, string]>([
    [{ status: 400, code: 131026 }, 'number'],
    [{ status: 400, code: 131050 }, 'opted_out'],
    [{ status: 429, code: 130429 }, 'retryable'],
    [{ status: 400, code: 131056 }, 'retryable'],
    [{ status: 500, code: 131000 }, 'retryable'],
    [{ status: 503, code: 987654 }, 'retryable'],
    [{ status: 400, code: 987654 }, 'message'],
    [{ status: 403, code: 10 }, 'configuration'],
    [{ status: 404, code: 132001 }, 'configuration'],
    ['hang', 'retryable'],
    ['reset', 'retryable'],
    ['done then reset', 'retryable'],
  ])('%j is classified as %s', async (fault, reason) => {
    fake.addFaults(fault);
    expect(await captureError({}, fault === 'hang' ? { timeoutMs: 300 } : {})).toBe(reason);
  });

  test('a wrong token is a configuration error, and an unreachable server can be retried', async () => {
    expect(await captureError({}, { token: 'another' })).toBe('configuration');
    expect(await captureError({}, { url: 'http://127.0.0.1:1/v25.0' })).toBe('retryable');
  });

  test.each([
    ['a line break', { parameters: ['Ruth', 'a\nb'] }, 'message'],
    ['too many spaces', { parameters: ['Ruth', 'a     b'] }, 'message'],
    ['too few parameters', { parameters: ['Ruth'] }, 'message'],
    ['an empty parameter', { parameters: ['Ruth', ''] }, 'message'],
    ['an unknown template', { template: 'other' }, 'configuration'],
    ['a number with a plus', { to: '+447700900123' }, 'message'],
  ])('the fake rejects %s', async (_, change, reason) => {
    const before = fake.accepted().length;
    expect(await captureError(change)).toBe(reason);
    expect(fake.accepted()).toHaveLength(before);
  });

  test('a code is the parameter of the text and of the button that copies it', async () => {
    const code = { template: 'sign_in_code', parameters: ['419302'], copiedCode: '419302' };
    await whatsAppCloud(account()).send({ ...message, ...code });
    const accepted = fake.accepted().at(-1);
    expect(accepted?.text).toBe('419302 is your verification code.');
    expect(accepted?.request.template.components).toEqual([
      { type: 'body', parameters: [{ type: 'text', text: '419302' }] },
      {
        type: 'button',
        sub_type: 'url',
        index: '0',
        parameters: [{ type: 'text', text: '419302' }],
      },
    ]);
  });

  test.each([
    ['without the button', { copiedCode: undefined }],
    ['with a different code in the button', { copiedCode: '111111' }],
    ['with a long code', { parameters: ['1'.repeat(16)], copiedCode: '1'.repeat(16) }],
  ])('the fake rejects an authentication template %s', async (_, change) => {
    const code = { template: 'sign_in_code', parameters: ['419302'], copiedCode: '419302' };
    expect(await captureError({ ...code, ...change })).toBe('message');
  });

  test('the fake rejects a button in another template', async () => {
    expect(await captureError({ copiedCode: '419302' })).toBe('message');
  });

  test('the error contains neither the phone number nor the token', async () => {
    fake.addFaults({ status: 400, code: 131026 });
    const error: unknown = await whatsAppCloud(account())
      .send(message)
      .catch((thrown: unknown) => thrown);
    const text = `${String(error)} ${JSON.stringify(error)}`;
    expect(text).toContain('131026');
    expect(text).not.toMatch(/447700900123|a-token/);
  });

  test('classifies error codes in webhooks, which have no HTTP status', () => {
    expect([131026, 131050, 131049, 987654].map((code) => classifyError(code))).toEqual([
      'number',
      'opted_out',
      'retryable',
      'retryable',
    ]);
  });
});

describe('webhooks', () => {
  test('a signature is valid only if it is complete and matches the exact body and secret', () => {
    const body = '{"a": 1}';
    const signature = fake.webhooks.sign(body);
    const { appSecret } = fake.account;
    expect(hasValidSignature(appSecret, body, signature)).toBe(true);
    expect(hasValidSignature(appSecret, '{"a":1}', signature)).toBe(false);
    expect(hasValidSignature(appSecret, body, signature.slice(0, -1))).toBe(false);
    expect(hasValidSignature(appSecret, body, signature.replace('sha256=', ''))).toBe(false);
    expect(hasValidSignature(appSecret, body, '')).toBe(false);
    expect(hasValidSignature('another', body, signature)).toBe(false);
  });

  test('ignores unknown event types and returns null for a body that is not a webhook', () => {
    const { phoneNumberId } = fake.account;
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
      statusUpdates: [{ vendorId: 'wamid.1', reference: null, status: 'sent', code: null }],
      inboundMessages: [],
    });
    for (const raw of ['', 'no', '5', 'null', '{}', '{"entry":{}}', '[]'])
      expect(parseWebhook(raw, phoneNumberId)).toBeNull();
  });
});
