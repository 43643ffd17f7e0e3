import { API_VERSION, type SnapshotEvent, type ThinEvent } from './event-types.ts';
import type { Room, World } from './world.ts';

/** Tells what happened in an account, with the object as it is at this moment. */
export function tell(
  world: World,
  room: Room,
  type: string,
  object: object,
  previous?: object,
): void {
  // A disconnected account's affairs are none of the platform's business any more.
  const record = room.account === null ? undefined : world.accounts.get(room.account);
  if (record?.deauthorized && type !== 'account.application.deauthorized') return;

  const event: SnapshotEvent = {
    id: world.newId('event'),
    object: 'event',
    ...(room.account === null ? {} : { account: room.account }),
    api_version: API_VERSION,
    created: world.clock.seconds(),
    data: {
      object: structuredClone(object),
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: {
      id: world.cause?.id ?? null,
      idempotency_key: world.cause?.idempotency_key ?? null,
    },
    type,
  };
  room.events.add(event);
  world.onEvent(event);
}

/** Tells that something about an account changed, but not what: the reader has to look. */
export function hint(world: World, type: string, account: string, data?: object): void {
  const { cause } = world;
  const event: ThinEvent = {
    id: world.newId('thinEvent'),
    object: 'v2.core.event',
    context: account,
    created: world.clock.iso(),
    ...(data === undefined ? {} : { data }),
    livemode: false,
    ...(cause?.idempotency_key
      ? {
          reason: {
            type: 'request',
            request: { id: cause.id, idempotency_key: cause.idempotency_key },
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
  world.thinEvents.add(event);
  world.onEvent(event);
}
