import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startWhatsApp } from '@lessonbook/fakes/whatsapp';
import { describe, expect, test } from 'vitest';
import { whatsAppCloud } from './whatsapp.ts';

/* What we send, and what the stand-in answers and tells, beside examples written down from Meta's own pages. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const file = `${process.env['VENDOR_CONTRACTS'] ?? `${root}../shared/contracts`}/whatsapp-payloads.json`;
const there = existsSync(file);
if (!there) process.stdout.write(`[whatsapp] skipped: ${file} is not here to compare with\n`);

type Json = Record<string, unknown>;
const examples = (there ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<string, Json>;

/** Keys and types, without values; of a list the shapes that occur in it. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...new Set(value.map((each) => JSON.stringify(shape(each))))].toSorted();
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, shape(each)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

test('a shape has no values, and tells a missing key, another type and a stray item', () => {
  const one = shape({ a: [{ b: 1 }, { b: 2 }], c: 'x' });
  expect(one).toEqual(shape({ c: 'y', a: [{ b: 3 }] }));
  for (const other of [{ a: [{ b: 1 }] }, { a: [{ b: '1' }], c: 'x' }, { a: [{ b: 1 }, 2], c: '' }])
    expect(shape(other)).not.toEqual(one);
});

describe.skipIf(!there)("has the shape of Meta's examples", async () => {
  const standIn = await startWhatsApp({ templates: { lesson_reminder: 'Hello {{1}}: {{2}}.' } });
  await whatsAppCloud({ ...standIn.account, url: standIn.url, templateLanguage: 'en_GB' }).send({
    to: '447700900123',
    template: 'lesson_reminder',
    parameters: ['Ruth', 'Maya at 4'],
    reference: 'a-public-id',
  });
  const [taken] = standIn.taken();
  await standIn.stop();
  const { webhooks } = standIn;
  const message = { id: taken?.id ?? '', to: taken?.to ?? '', reference: taken?.reference ?? '' };
  const valueOf = (webhook: object) =>
    (webhook as { entry: { changes: { value: Json }[] }[] }).entry[0]?.changes[0]?.value;

  test('our request', () => {
    expect(shape(taken?.request)).toEqual(shape(examples['send_template']?.['body']));
  });
  test("the stand-in's answer", () => {
    expect(shape(taken?.answer)).toEqual(shape(examples['send_template_ok']));
  });
  test("the stand-in's status", () => {
    const told = webhooks.statuses([{ message, status: 'delivered' }]);
    expect(shape(told)).toEqual(shape(examples['status_webhook']));
  });
  test("the stand-in's failure", () => {
    const told = valueOf(webhooks.statuses([{ message, status: 'failed' }]));
    expect(shape(told?.['statuses'])).toEqual(shape([examples['failed_status']]));
  });
  test("the stand-in's letter", () => {
    const told = valueOf(webhooks.message('447700900123', 'STOP'));
    expect(shape(told)).toEqual(shape(examples['inbound_webhook_value']));
  });
});
