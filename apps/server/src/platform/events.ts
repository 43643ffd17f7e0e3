import type { Tx } from './db/database.ts';

/** A fact that other domains may hear. It holds ids only; whoever hears it reads what it needs. */
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
 * News travels up the ladder of domains by these. Subscribers run inside the publisher's transaction, in the order they
 * are listed: what they do becomes real together with the fact, and one that refuses with an AppError stops it.
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
