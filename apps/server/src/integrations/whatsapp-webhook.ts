import { createHmac } from 'node:crypto';
import { fromEpochMs } from '@lessonbook/contract/time';
import * as z from 'zod/mini';
import { secretsMatch } from '../platform/crypto/tokens.ts';

export interface WebhookContent {
  readonly statusUpdates: readonly MessageStatusUpdate[];
  readonly inboundMessages: readonly InboundMessage[];
}

export interface MessageStatusUpdate {
  readonly vendorId: string;
  /** The reference we sent with the message; some webhooks omit it. */
  readonly reference: string | null;
  readonly status: string;
  /** The error code if the message failed. */
  readonly code: number | null;
}

export interface InboundMessage {
  /** Digits only. */
  readonly from: string;
  readonly text: string;
  readonly at: Date;
}

/** The signature covers the raw body, because the same JSON may differ once it is serialised again. */
export function hasValidSignature(appSecret: string, raw: string, header: string): boolean {
  const expected = createHmac('sha256', appSecret).update(raw).digest('hex');
  return secretsMatch(header, `sha256=${expected}`);
}

const vendorId = z.string().check(z.regex(/^[\x21-\x7e]{1,300}$/));

const Status = z.object({
  id: vendorId,
  status: z.string(),
  biz_opaque_callback_data: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ code: z.number() }))),
});

const TextMessage = z.object({
  from: z.string().check(z.regex(/^\d{5,20}$/)),
  timestamp: z.string().check(z.regex(/^\d{1,12}$/)),
  type: z.literal('text'),
  text: z.object({ body: z.string() }),
});

const Webhook = z.object({
  entry: z.array(
    z.object({
      changes: z.array(z.object({ field: z.string(), value: z.unknown() })),
    }),
  ),
});

const ChangeValue = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  statuses: z.optional(z.array(z.unknown())),
  messages: z.optional(z.array(z.unknown())),
});

/**
 * Parses events for our number and ignores all others: one Meta app may serve several numbers, and Meta may add event
 * types. Returns null if the body is not a webhook.
 */
export function parseWebhook(raw: string, phoneNumberId: string): WebhookContent | null {
  const parsed = Webhook.safeParse(parseJson(raw));
  if (!parsed.success) return null;
  const values = parsed.data.entry
    .flatMap((entry) => entry.changes)
    .filter((change) => change.field === 'messages')
    .flatMap((change) => parseOrSkip(ChangeValue, change.value))
    .filter((value) => value.metadata.phone_number_id === phoneNumberId);
  const statuses = values.flatMap((value) => value.statuses ?? []);
  const messages = values.flatMap((value) => value.messages ?? []);
  return {
    statusUpdates: statuses
      .flatMap((status) => parseOrSkip(Status, status))
      .map((status) => ({
        vendorId: status.id,
        reference: status.biz_opaque_callback_data ?? null,
        status: status.status,
        code: status.errors?.[0]?.code ?? null,
      })),
    inboundMessages: messages
      .flatMap((message) => parseOrSkip(TextMessage, message))
      .map(({ from, text, timestamp }) => ({
        from,
        text: text.body,
        at: fromEpochMs(Number(timestamp) * 1000),
      })),
  };
}

function parseOrSkip<T>(schema: z.ZodMiniType<T>, value: unknown): T[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}
