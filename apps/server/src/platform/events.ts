import type { Tx } from './db/database.ts';

/** An event that other domains can subscribe to. Payloads contain ids; subscribers read any other data they need. */
export interface EventKind<Payload> {
  readonly name: string;
  /** Never set; it only carries the type of the payload. */
  readonly payload?: Payload;
}

export const defineEvent = <Payload extends object>(name: string): EventKind<Payload> => ({ name });

type EventHandler<Context, Payload> = (context: Context, tx: Tx, payload: Payload) => Promise<void>;

export interface Subscription<Context> {
  readonly event: string;
  readonly handler: EventHandler<Context, never>;
}

export const subscribe = <Context, Payload>(
  event: EventKind<Payload>,
  handler: EventHandler<Context, Payload>,
): Subscription<Context> => ({ event: event.name, handler });

/**
 * Lower-level domains notify higher-level ones through events. Subscribers run within the publisher's transaction, in
 * list order: their changes commit together with the publisher's, and an AppError thrown by any of them aborts the
 * transaction.
 */
export class EventBus<Context> {
  readonly #subscriptions: readonly Subscription<Context>[];

  constructor(subscriptions: readonly Subscription<Context>[]) {
    this.#subscriptions = subscriptions;
  }

  async publish<Payload>(
    context: Context,
    tx: Tx,
    event: EventKind<Payload>,
    payload: Payload,
  ): Promise<void> {
    for (const { event: name, handler } of this.#subscriptions) {
      if (name === event.name)
        await (handler as EventHandler<Context, Payload>)(context, tx, payload);
    }
  }
}
