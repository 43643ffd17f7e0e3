import type { Stripe } from 'stripe';
import { createAccountLink } from './account-links.ts';
import { toV2Account } from './account-record.ts';
import {
  closeAccount,
  createAccount,
  retrieveAccount,
  retrieveV1Account,
  updateAccount,
} from './accounts.ts';
import { computeBalance, withCurrentStatus } from './balance.ts';
import { createSession, expireSession, findSession } from './checkout-sessions.ts';
import { ApiError, noSuchObject } from './error-response.ts';
import type { SnapshotEvent } from './event-types.ts';
import { expand } from './expand.ts';
import type { Form } from './form-encoding.ts';
import { listV1, listV2, timeFilter, toStrings } from './lists.ts';
import { Collection } from './paged-collection.ts';
import { toText } from './parse-form-fields.ts';
import { createRefund } from './refunds.ts';
import type { AccountStore, StripeState } from './state.ts';

export interface Call {
  state: StripeState;
  store: AccountStore;
  /** The object id in the path. */
  id: string;
  /** v1: the decoded form. v2: the JSON body, typed as in the SDK. */
  params: Form;
}

type RouteHandler = (call: Call) => object;

export interface Route {
  method: 'GET' | 'POST';
  path: RegExp;
  handle: RouteHandler;
}

const V2: Route[] = [
  route('POST', '/v2/core/accounts', ({ state, params }) => createAccount(state, params)),
  route('GET', '/v2/core/accounts', listAccounts),
  route('GET', '/v2/core/accounts/{id}', ({ state, id, params }) =>
    retrieveAccount(state, id, toStrings(params['include'])),
  ),
  route('POST', '/v2/core/accounts/{id}', ({ state, id, params }) =>
    updateAccount(state, id, params),
  ),
  route('POST', '/v2/core/accounts/{id}/close', ({ state, id }) => closeAccount(state, id)),
  route('POST', '/v2/core/account_links', ({ state, params }) => createAccountLink(state, params)),
  route('GET', '/v2/core/events', listThinEvents),
  route('GET', '/v2/core/events/{id}', ({ state, id }) => {
    const event = state.thinEvents.get(id);
    if (event) return event;
    throw new ApiError({ status: 404, code: 'not_found', message: `Event ${id} not found` });
  }),
];

const V1: Route[] = [
  route('GET', '/v1/accounts/{id}', ({ state, id }) => retrieveV1Account(state, id)),
  route('POST', '/v1/checkout/sessions', ({ state, store, params }) =>
    createSession(state, store, params),
  ),
  route('GET', '/v1/checkout/sessions', ({ store, params }) =>
    listV1(store.sessions, '/v1/checkout/sessions', params, ['payment_intent', 'status']),
  ),
  route('GET', '/v1/checkout/sessions/{id}', ({ store, id }) => findSession(store, id)),
  route('POST', '/v1/checkout/sessions/{id}/expire', ({ state, store, id }) =>
    expireSession(state, store, id),
  ),
  route('GET', '/v1/checkout/sessions/{id}/line_items', listLineItems),
  retrieveRoute(
    '/v1/payment_intents/{id}',
    'payment_intent',
    'intent',
    (store: AccountStore) => store.intents,
  ),
  listRoute('/v1/payment_intents', (store: AccountStore) => store.intents, []),
  retrieveRoute('/v1/charges/{id}', 'charge', 'id', (store: AccountStore) => store.charges),
  listRoute('/v1/charges', (store: AccountStore) => store.charges, ['payment_intent']),
  route('POST', '/v1/refunds', ({ state, store, params }) => createRefund(state, store, params)),
  retrieveRoute('/v1/refunds/{id}', 'refund', 'refund', (store: AccountStore) => store.refunds),
  listRoute('/v1/refunds', (store: AccountStore) => store.refunds, ['charge', 'payment_intent']),
  retrieveRoute('/v1/disputes/{id}', 'dispute', 'dispute', (store: AccountStore) => store.disputes),
  listRoute('/v1/disputes', (store: AccountStore) => store.disputes, ['charge', 'payment_intent']),
  route('GET', '/v1/balance', ({ state, store }) => computeBalance(state, store)),
  route('GET', '/v1/balance_transactions', ({ state, store, params }) => {
    const fields = ['source', 'type', 'currency'] as const;
    const page = listV1(store.transactions, '/v1/balance_transactions', params, fields);
    return { ...page, data: page.data.map((each) => withCurrentStatus(state, each)) };
  }),
  route('GET', '/v1/balance_transactions/{id}', ({ state, store, id }) => {
    const found = store.transactions.get(id);
    if (!found) throw noSuchObject('balance_transaction', id, 'id');
    return withCurrentStatus(state, found);
  }),
  retrieveRoute('/v1/events/{id}', 'event', 'id', (store: AccountStore) => store.events),
  route('GET', '/v1/events', ({ store, params }) =>
    listV1(store.events, '/v1/events', params, [], eventFilter(params)),
  ),
];

export const ROUTES: readonly Route[] = [...V2, ...V1];

function route(method: Route['method'], path: string, handle: RouteHandler): Route {
  const pattern = new RegExp(`^${path.replaceAll('{id}', '(?<id>[^/]+)')}$`);
  const handleAndExpand: RouteHandler = (call) =>
    expand(call.state, call.store, handle(call), toStrings(call.params['expand']));
  return { method, path: pattern, handle: path.startsWith('/v1/') ? handleAndExpand : handle };
}

function retrieveRoute<T extends { id: string }>(
  path: string,
  name: string,
  param: string,
  collectionOf: (store: AccountStore) => Collection<T>,
): Route {
  return route('GET', path, ({ store, id }) => {
    const found = collectionOf(store).get(id);
    if (!found) throw noSuchObject(name, id, param);
    return found;
  });
}

function listRoute<T extends { id: string; created: number }>(
  path: string,
  collectionOf: (store: AccountStore) => Collection<T>,
  fields: readonly (keyof T & string)[],
): Route {
  return route('GET', path, ({ store, params }) =>
    listV1(collectionOf(store), path, params, fields),
  );
}

function listLineItems({ state, store, id, params }: Call): object {
  findSession(store, id);
  const collection = new Collection<Stripe.LineItem>();
  // Pages are newest first, but line items keep their original order.
  for (const item of state.findCheckout(id).lineItems.toReversed()) collection.add(item);
  const pageParams = {
    limit: toText(params['limit']) ?? undefined,
    starting_after: toText(params['starting_after']) ?? undefined,
  };
  const url = `/v1/checkout/sessions/${id}/line_items`;
  return { object: 'list', url, ...collection.page(pageParams, () => true) };
}

function listAccounts({ state, params }: Call): object {
  const closed = toText(params['closed']) === 'true';
  const records = [...state.accounts.values()]
    .filter((record) => record.closed === closed && !record.deauthorized)
    .toReversed();
  const page = listV2(records, '/v2/core/accounts', params);
  return { ...page, data: page.data.map((record) => toV2Account(record, [])) };
}

function listThinEvents({ state, params }: Call): object {
  const types = toStrings(params['types']);
  const objectId = toText(params['object_id']);
  const isInRange = timeFilter(params['created'], Date.parse);
  const events = state.thinEvents
    .all()
    .filter(
      (event) =>
        (types.length === 0 || types.includes(event.type)) &&
        (objectId === null || event.related_object.id === objectId) &&
        isInRange(Date.parse(event.created)),
    )
    .toReversed();
  return listV2(events, '/v2/core/events', params);
}

function eventFilter(params: Form): (event: SnapshotEvent) => boolean {
  const type = toText(params['type']);
  const types = toStrings(params['types']);
  return (event) =>
    (types.length === 0 || types.includes(event.type)) &&
    (type === null ||
      (type.endsWith('*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type));
}
