import { API_VERSION, type SnapshotEvent, type ThinEvent } from './event-types.ts';
import type { AccountStore, StripeState } from './state.ts';

/** Emits a snapshot event with a copy of the object. */
export function emitEvent(
  state: StripeState,
  store: AccountStore,
  type: string,
  object: object,
  previous?: object,
): void {
  // The platform gets no events from a disconnected account.
  const record = store.account === null ? undefined : state.accounts.get(store.account);
  if (record?.deauthorized && type !== 'account.application.deauthorized') return;

  const event: SnapshotEvent = {
    id: state.newId('event'),
    object: 'event',
    ...(store.account === null ? {} : { account: store.account }),
    api_version: API_VERSION,
    created: state.clock.seconds(),
    data: {
      object: structuredClone(object),
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: {
      id: state.currentRequest?.id ?? null,
      idempotency_key: state.currentRequest?.idempotency_key ?? null,
    },
    type,
  };
  store.events.add(event);
  state.onEvent(event);
}

/** Emits a thin event: the receiver has to fetch the account for details. */
export function emitThinEvent(
  state: StripeState,
  type: string,
  account: string,
  data?: object,
): void {
  const { currentRequest } = state;
  const event: ThinEvent = {
    id: state.newId('thinEvent'),
    object: 'v2.core.event',
    context: account,
    created: state.clock.iso(),
    ...(data === undefined ? {} : { data }),
    livemode: false,
    ...(currentRequest?.idempotency_key
      ? {
          reason: {
            type: 'request',
            request: { id: currentRequest.id, idempotency_key: currentRequest.idempotency_key },
          },
        }
      : {}),
    related_object: {
      id: account,
      type: 'v2.core.account',
      url: `/v2/core/accounts/${account}`,
    },
    type,
  };
  state.thinEvents.add(event);
  state.onEvent(event);
}
