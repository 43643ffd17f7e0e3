import { randomInt } from 'node:crypto';
import { AdjustableClock, type TimeSource } from './shared/clock.ts';
import { remoteControl } from './shared/control-http.ts';
import { Faults } from './shared/faults.ts';
import { createIdGenerator, seededRandom } from './shared/seeded-random-and-ids.ts';
import { serve } from './shared/server.ts';
import type { DeliverySettings } from './shared/webhook-delivery.ts';
import { createConformance } from './stripe/api-description-conformance.ts';
import { expireOverdueSessions } from './stripe/checkout-sessions.ts';
import type { StripeControl } from './stripe/control-interface.ts';
import { createControl } from './stripe/create-control.ts';
import { type ApiContext, handleStripeRequest } from './stripe/handle-api-request.ts';
import { handlePage } from './stripe/handle-page-request.ts';
import { ID_FORMATS } from './stripe/id-formats.ts';
import { IdempotencyKeys } from './stripe/idempotency.ts';
import { settleDebit } from './stripe/settle-bank-debits.ts';
import { StripeState } from './stripe/state.ts';
import { WebhookSender } from './stripe/webhook-sender.ts';
import type { Endpoint } from './stripe/webhook-subscriptions.ts';

export interface StripeOptions {
  /** Defaults to a free port. */
  port?: number;
  host?: string;
  apiKey?: string;
  /** Receives thin events about accounts. */
  accountWebhook?: Endpoint;
  /** Receives snapshot events from connected accounts. */
  connectWebhook?: Endpoint;
  delivery?: Partial<DeliverySettings>;
  clock?: TimeSource;
  /** The same seed and the same calls produce the same ids. Defaults to a random seed. */
  seed?: number;
  /** Base URL for browsers, if it differs from the listen address. */
  publicUrl?: string;
  /** Milliseconds until debits settle automatically; if omitted, only a control call settles them. */
  debitSettlesAfter?: number;
}

export interface FakeStripe {
  url: string;
  apiKey: string;
  control: StripeControl;
  close: () => Promise<void>;
}

/** A stateful fake Stripe: accounts, payments, refunds, disputes and their events. */
export async function startStripe(options: StripeOptions = {}): Promise<FakeStripe> {
  const seed = options.seed ?? randomInt(2 ** 31);
  const clock = new AdjustableClock(options.clock);
  const state = new StripeState(clock, createIdGenerator(ID_FORMATS, seededRandom(seed)));
  const webhooks = new WebhookSender(seededRandom(seed + 1));
  webhooks.accountEndpoint = options.accountWebhook ?? null;
  webhooks.connectEndpoint = options.connectWebhook ?? null;
  webhooks.settings = { ...webhooks.settings, ...options.delivery };
  const conformance = createConformance();
  const faults = new Faults();
  const apiKey = options.apiKey ?? 'sk_test_lessonbook';
  const idempotencyKeys = new IdempotencyKeys(clock);
  const api: ApiContext = { state, apiKey, idempotencyKeys, faults, conformance };
  const control = createControl({ state, webhooks, faults, conformance });

  const timers = new Set<NodeJS.Timeout>();
  state.onEvent = (event) => {
    conformance.checkEvent(event);
    webhooks.sendIfSubscribed(event);
    const session = 'data' in event && event.type === 'checkout.session.completed' && event.data;
    if (session && options.debitSettlesAfter !== undefined) {
      const { id, payment_status } = (session as { object: { id: string; payment_status: string } })
        .object;
      if (payment_status === 'unpaid') settleLater(id, options.debitSettlesAfter);
    }
  };

  function settleLater(sessionId: string, millis: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      // A control call may have settled it already.
      if (state.findCheckout(sessionId).debitOutcome !== null) settleDebit(state, sessionId);
    }, millis);
    timers.add(timer);
  }

  const server = await serve({
    name: 'Stripe',
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    control,
    handle: async ({ request, reply, url, body }) => {
      if (handlePage(state, request, reply, url.pathname, body)) return;
      await handleStripeRequest(api, request, reply, url, body);
    },
  });
  state.baseUrl = options.publicUrl ?? server.url;
  // Sessions also expire when no request reads them.
  const expiryTimer = setInterval(() => expireOverdueSessions(state), 1_000);
  expiryTimer.unref();

  return {
    url: server.url,
    apiKey,
    control,
    close: async () => {
      clearInterval(expiryTimer);
      for (const timer of timers) clearTimeout(timer);
      webhooks.close();
      await server.close();
    },
  };
}

/** Controls a fake that runs in another process. */
export function connectStripe(url: string): StripeControl {
  return remoteControl(url) as StripeControl;
}
