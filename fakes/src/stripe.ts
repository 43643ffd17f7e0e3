import { randomInt } from 'node:crypto';
import { AdjustableClock, type TimeSource } from './shared/clock.ts';
import { remoteControl } from './shared/control-http.ts';
import { Faults } from './shared/faults.ts';
import { createIdGenerator, seededRandom } from './shared/ids.ts';
import { serve } from './shared/server.ts';
import type { DeliverySettings } from './shared/webhook-delivery.ts';
import { type ApiContext, handleApi } from './stripe/api.ts';
import { settleDebit } from './stripe/async-payments.ts';
import { openConformance } from './stripe/conformance.ts';
import type { StripeControl } from './stripe/control.ts';
import { createControl } from './stripe/control-api.ts';
import { IdempotencyKeys } from './stripe/idempotency.ts';
import { ID_FORMATS } from './stripe/ids.ts';
import { handlePage } from './stripe/pages.ts';
import { expireOverdue } from './stripe/sessions.ts';
import { StripeState } from './stripe/state.ts';
import type { Endpoint } from './stripe/webhook-endpoints.ts';
import { WebhookSender } from './stripe/webhook-sender.ts';

export interface StripeOptions {
  /** A free port when left out. */
  port?: number;
  host?: string;
  apiKey?: string;
  /** Where thin events about accounts go. */
  accountWebhook?: Endpoint;
  /** Where snapshot events of connected accounts go. */
  connectWebhook?: Endpoint;
  delivery?: Partial<DeliverySettings>;
  clock?: TimeSource;
  /** The same ids for the same seed and the same calls; new ones with every start when left out. */
  seed?: number;
  /** How a browser reaches the pages, where that is not the address it listens at. */
  publicUrl?: string;
  /** Debits settle by themselves after so long; when left out, only on control. */
  debitSettlesAfter?: number;
}

export interface FakeStripe {
  url: string;
  apiKey: string;
  control: StripeControl;
  close: () => Promise<void>;
}

/** A stand-in for Stripe that remembers: accounts, payments, refunds, disputes and their events. */
export async function startStripe(options: StripeOptions = {}): Promise<FakeStripe> {
  const seed = options.seed ?? randomInt(2 ** 31);
  const clock = new AdjustableClock(options.clock);
  const world = new StripeState(clock, createIdGenerator(ID_FORMATS, seededRandom(seed)));
  const deliveries = new WebhookSender(seededRandom(seed + 1));
  deliveries.accountEndpoint = options.accountWebhook ?? null;
  deliveries.connectEndpoint = options.connectWebhook ?? null;
  deliveries.settings = { ...deliveries.settings, ...options.delivery };
  const conformance = openConformance();
  const faults = new Faults();
  const apiKey = options.apiKey ?? 'sk_test_lessonbook';
  const keys = new IdempotencyKeys(clock);
  const api: ApiContext = { state: world, apiKey, keys, faults, conformance };
  const control = createControl({ state: world, webhooks: deliveries, faults, conformance });

  const timers = new Set<NodeJS.Timeout>();
  world.onEvent = (event) => {
    conformance.event(event);
    deliveries.accept(event);
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
      // Whoever steers may have been quicker.
      if (world.plan(sessionId).laterOutcome !== null) settleDebit(world, sessionId);
    }, millis);
    timers.add(timer);
  }

  const server = await serve({
    name: 'Stripe',
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    control,
    handle: async ({ request, reply, url, body }) => {
      if (handlePage(world, request, reply, url.pathname, body)) return;
      await handleApi(api, request, reply, url, body);
    },
  });
  world.baseUrl = options.publicUrl ?? server.url;
  // Sessions end also when nobody asks for them.
  const sweep = setInterval(() => expireOverdue(world), 1_000);
  sweep.unref();

  return {
    url: server.url,
    apiKey,
    control,
    close: async () => {
      clearInterval(sweep);
      for (const timer of timers) clearTimeout(timer);
      deliveries.close();
      await server.close();
    },
  };
}

/** The control of a stand-in that another process started. */
export function connectStripe(url: string): StripeControl {
  return remoteControl(url) as StripeControl;
}
