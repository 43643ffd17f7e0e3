import type { Stripe } from 'stripe';
import { createAccountLink } from './account-links.ts';
import { accountInV2 } from './account-record.ts';
import {
  closeAccount,
  createAccount,
  retrieveAccount,
  retrieveAccountInV1,
  updateAccount,
} from './accounts.ts';
import { asOfNow, balanceOf } from './balance.ts';
import type { SnapshotEvent } from './event-types.ts';
import { expand } from './expand.ts';
import type { Form } from './form.ts';
import { listV1, listV2, textsIn, timeFilter } from './lists.ts';
import { createRefund } from './refunds.ts';
import { noSuch, Refusal } from './refusal.ts';
import { textOf } from './session-params.ts';
import { createSession, expireSession, findSession } from './sessions.ts';
import { Shelf } from './shelf.ts';
import type { Room, World } from './world.ts';

export interface Call {
  world: World;
  room: Room;
  /** The part of the path that names one object. */
  id: string;
  /** v1: as decoded from a form. v2 bodies: the JSON, whose types are those of the SDK. */
  params: Form;
}

type Work = (call: Call) => object;

export interface Route {
  method: 'GET' | 'POST';
  path: RegExp;
  work: Work;
}

const V2: Route[] = [
  route('POST', '/v2/core/accounts', ({ world, params }) => createAccount(world, params)),
  route('GET', '/v2/core/accounts', listAccounts),
  route('GET', '/v2/core/accounts/{id}', ({ world, id, params }) =>
    retrieveAccount(world, id, textsIn(params['include'])),
  ),
  route('POST', '/v2/core/accounts/{id}', ({ world, id, params }) =>
    updateAccount(world, id, params),
  ),
  route('POST', '/v2/core/accounts/{id}/close', ({ world, id }) => closeAccount(world, id)),
  route('POST', '/v2/core/account_links', ({ world, params }) => createAccountLink(world, params)),
  route('GET', '/v2/core/events', listThinEvents),
  route('GET', '/v2/core/events/{id}', ({ world, id }) => {
    const event = world.thinEvents.get(id);
    if (event) return event;
    throw new Refusal({ status: 404, code: 'not_found', message: `Event ${id} not found` });
  }),
];

const V1: Route[] = [
  route('GET', '/v1/accounts/{id}', ({ world, id }) => retrieveAccountInV1(world, id)),
  route('POST', '/v1/checkout/sessions', ({ world, room, params }) =>
    createSession(world, room, params),
  ),
  route('GET', '/v1/checkout/sessions', ({ room, params }) =>
    listV1(room.sessions, '/v1/checkout/sessions', params, ['payment_intent', 'status']),
  ),
  route('GET', '/v1/checkout/sessions/{id}', ({ room, id }) => findSession(room, id)),
  route('POST', '/v1/checkout/sessions/{id}/expire', ({ world, room, id }) =>
    expireSession(world, room, id),
  ),
  route('GET', '/v1/checkout/sessions/{id}/line_items', listLineItems),
  one('/v1/payment_intents/{id}', 'payment_intent', 'intent', (room: Room) => room.intents),
  many('/v1/payment_intents', (room: Room) => room.intents, []),
  one('/v1/charges/{id}', 'charge', 'id', (room: Room) => room.charges),
  many('/v1/charges', (room: Room) => room.charges, ['payment_intent']),
  route('POST', '/v1/refunds', ({ world, room, params }) => createRefund(world, room, params)),
  one('/v1/refunds/{id}', 'refund', 'refund', (room: Room) => room.refunds),
  many('/v1/refunds', (room: Room) => room.refunds, ['charge', 'payment_intent']),
  one('/v1/disputes/{id}', 'dispute', 'dispute', (room: Room) => room.disputes),
  many('/v1/disputes', (room: Room) => room.disputes, ['charge', 'payment_intent']),
  route('GET', '/v1/balance', ({ world, room }) => balanceOf(world, room)),
  route('GET', '/v1/balance_transactions', ({ world, room, params }) => {
    const fields = ['source', 'type', 'currency'] as const;
    const page = listV1(room.transactions, '/v1/balance_transactions', params, fields);
    return { ...page, data: page.data.map((each) => asOfNow(world, each)) };
  }),
  route('GET', '/v1/balance_transactions/{id}', ({ world, room, id }) => {
    const found = room.transactions.get(id);
    if (!found) throw noSuch('balance_transaction', id, 'id');
    return asOfNow(world, found);
  }),
  one('/v1/events/{id}', 'event', 'id', (room: Room) => room.events),
  route('GET', '/v1/events', ({ room, params }) =>
    listV1(room.events, '/v1/events', params, [], eventFilter(params)),
  ),
];

export const ROUTES: readonly Route[] = [...V2, ...V1];

function route(method: Route['method'], path: string, work: Work): Route {
  const pattern = new RegExp(`^${path.replaceAll('{id}', '(?<id>[^/]+)')}$`);
  const v1Work: Work = (call) =>
    expand(call.world, call.room, work(call), textsIn(call.params['expand']));
  return { method, path: pattern, work: path.startsWith('/v1/') ? v1Work : work };
}

function one<T extends { id: string }>(
  path: string,
  name: string,
  param: string,
  shelfOf: (room: Room) => Shelf<T>,
): Route {
  return route('GET', path, ({ room, id }) => {
    const found = shelfOf(room).get(id);
    if (!found) throw noSuch(name, id, param);
    return found;
  });
}

function many<T extends { id: string; created: number }>(
  path: string,
  shelfOf: (room: Room) => Shelf<T>,
  fields: readonly (keyof T & string)[],
): Route {
  return route('GET', path, ({ room, params }) => listV1(shelfOf(room), path, params, fields));
}

function listLineItems({ world, room, id, params }: Call): object {
  findSession(room, id);
  const shelf = new Shelf<Stripe.LineItem>();
  // A page is newest first, but line items come as they were given.
  for (const item of world.plan(id).lineItems.toReversed()) shelf.add(item);
  const ask = {
    limit: textOf(params['limit']) ?? undefined,
    starting_after: textOf(params['starting_after']) ?? undefined,
  };
  const url = `/v1/checkout/sessions/${id}/line_items`;
  return { object: 'list', url, ...shelf.page(ask, () => true) };
}

function listAccounts({ world, params }: Call): object {
  const closed = textOf(params['closed']) === 'true';
  const records = [...world.accounts.values()]
    .filter((record) => record.closed === closed && !record.deauthorized)
    .toReversed();
  const page = listV2(records, '/v2/core/accounts', params);
  return { ...page, data: page.data.map((record) => accountInV2(record, [])) };
}

function listThinEvents({ world, params }: Call): object {
  const types = textsIn(params['types']);
  const about = textOf(params['object_id']);
  const within = timeFilter(params['created'], Date.parse);
  const events = world.thinEvents
    .all()
    .filter(
      (event) =>
        (types.length === 0 || types.includes(event.type)) &&
        (about === null || event.related_object.id === about) &&
        within(Date.parse(event.created)),
    )
    .toReversed();
  return listV2(events, '/v2/core/events', params);
}

function eventFilter(params: Form): (event: SnapshotEvent) => boolean {
  const type = textOf(params['type']);
  const types = textsIn(params['types']);
  return (event) =>
    (types.length === 0 || types.includes(event.type)) &&
    (type === null ||
      (type.endsWith('*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type));
}
