import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createSerializerCompiler, replySchema } from './reply-serializer.ts';

async function serialize(schema: z.core.$ZodType, value: unknown): Promise<unknown> {
  const compile = await createSerializerCompiler();
  const route = { schema: replySchema(schema), method: 'GET', url: '/', httpStatus: '200' };
  const write = compile(route as never);
  return JSON.parse(write(value));
}

describe('nullable fields', () => {
  const inner = z.object({ date: z.string(), place: z.nullable(z.string()) });
  const Reply = z.object({
    text: z.nullable(z.string()),
    count: z.nullable(z.number()),
    flag: z.nullable(z.boolean()),
    state: z.nullable(z.enum(['open', 'paid'])),
    kind: z.nullable(z.literal('invoice')),
    linked: z.nullable(inner),
    list: z.nullable(z.array(z.nullable(z.number()))),
    either: z.nullable(z.union([z.string(), z.number()])),
    variant: z.discriminatedUnion('type', [
      z.object({ type: z.literal('a'), reason: z.nullable(z.enum(['late', 'ill'])) }),
      z.object({ type: z.literal('b'), amount: z.nullable(z.number()) }),
    ]),
  });

  test.each([
    {
      text: null,
      count: null,
      flag: null,
      state: null,
      kind: null,
      linked: null,
      list: null,
      either: null,
      variant: { type: 'a', reason: null },
    },
    {
      text: '',
      count: 0,
      flag: false,
      state: 'paid',
      kind: 'invoice',
      linked: { date: '2026-11-19', place: null },
      list: [1, null],
      either: 3,
      variant: { type: 'b', amount: null },
    },
    {
      text: 'a "quoted" line\n',
      count: -2.5,
      flag: true,
      state: 'open',
      kind: 'invoice',
      linked: { date: '2026-11-19', place: 'Library' },
      list: [],
      either: 'three',
      variant: { type: 'a', reason: 'ill' },
    },
  ])('are serialised as they are: %j', async (value) => {
    expect(await serialize(Reply, value)).toEqual(value);
  });

  test('need no validation', () => {
    expect(JSON.stringify(replySchema(inner))).not.toContain('anyOf');
  });

  test('leave out fields that are not in the schema', async () => {
    const value = { date: '2026-11-19', place: null, secret: 'x' };
    expect(await serialize(z.nullable(inner), value)).toEqual({ date: '2026-11-19', place: null });
  });
});
