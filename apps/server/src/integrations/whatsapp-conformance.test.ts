import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startWhatsApp } from '@lessonbook/fakes/whatsapp';
import { describe, expect, test } from 'vitest';
import { whatsAppCloud } from './whatsapp.ts';

/* Compares our requests, and the fake's responses and webhooks, with the examples in Meta's documentation. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const file = `${process.env['VENDOR_CONTRACTS'] ?? `${root}../shared/contracts`}/whatsapp-payloads.json`;
const hasExamples = existsSync(file);
if (!hasExamples) process.stdout.write(`[whatsapp] skipped: ${file} does not exist\n`);

type Json = Record<string, unknown>;
const examples = (hasExamples ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<
  string,
  Json
>;

/** Returns keys and types without values; for a list, the distinct shapes of its items. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...new Set(value.map((item) => JSON.stringify(shape(item))))].toSorted();
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, shape(item)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

test('shape ignores values and detects a missing key, a different type and an extra item', () => {
  const expected = shape({ a: [{ b: 1 }, { b: 2 }], c: 'x' });
  expect(expected).toEqual(shape({ c: 'y', a: [{ b: 3 }] }));
  for (const other of [{ a: [{ b: 1 }] }, { a: [{ b: '1' }], c: 'x' }, { a: [{ b: 1 }, 2], c: '' }])
    expect(shape(other)).not.toEqual(expected);
});

describe.skipIf(!hasExamples)("Meta's examples have the same shape as", async () => {
  const fake = await startWhatsApp({ templates: { lesson_reminder: 'Hello {{1}}: {{2}}.' } });
  await whatsAppCloud({ ...fake.account, url: fake.url, templateLanguage: 'en_GB' }).send({
    to: '447700900123',
    template: 'lesson_reminder',
    parameters: ['Ruth', 'Maya at 4'],
    reference: 'a-public-id',
  });
  const [accepted] = fake.accepted();
  await fake.stop();
  const { webhooks } = fake;
  const message = {
    id: accepted?.id ?? '',
    to: accepted?.to ?? '',
    reference: accepted?.reference ?? '',
  };
  const valueOf = (webhook: object) =>
    (webhook as { entry: { changes: { value: Json }[] }[] }).entry[0]?.changes[0]?.value;

  test('our request', () => {
    expect(shape(accepted?.request)).toEqual(shape(examples['send_template']?.['body']));
  });
  test("the fake's response", () => {
    expect(shape(accepted?.response)).toEqual(shape(examples['send_template_ok']));
  });
  test("the fake's status webhook", () => {
    const webhook = webhooks.statuses([{ message, status: 'delivered' }]);
    expect(shape(webhook)).toEqual(shape(examples['status_webhook']));
  });
  test("the fake's failure webhook", () => {
    const value = valueOf(webhooks.statuses([{ message, status: 'failed' }]));
    expect(shape(value?.['statuses'])).toEqual(shape([examples['failed_status']]));
  });
  test("the fake's inbound message", () => {
    const value = valueOf(webhooks.message('447700900123', 'STOP'));
    expect(shape(value)).toEqual(shape(examples['inbound_webhook_value']));
  });
});
