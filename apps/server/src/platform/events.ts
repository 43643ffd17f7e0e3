import type { Tx } from './db/database.ts';

/** An event that other domains may subscribe to. Payloads contain ids; subscribers read what else they need. */
export interface EventKind<Payload> {
  readonly name: string;
  /** Never set: it carries the payload's type. */
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
 * Lower domains notify higher ones with events. Subscribers run inside the publisher's transaction, in list order: their
 * changes commit together with the publisher's, and an AppError from one of them aborts the transaction.
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
