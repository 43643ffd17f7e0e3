import type { AccountStore, StripeState } from './state.ts';

type Node = Record<string, unknown>;

/** Replaces ids with objects in the response, for the paths in `expand`. */
export function expand(
  state: StripeState,
  store: AccountStore,
  response: object,
  paths: readonly string[],
): object {
  if (paths.length === 0) return response;
  const copy = structuredClone(response) as Node;
  for (const path of paths) expandPath(state, store, copy, path.split('.'));
  return copy;
}

function expandPath(
  state: StripeState,
  store: AccountStore,
  node: Node,
  keys: readonly string[],
): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  if (key === 'data' && Array.isArray(node['data'])) {
    for (const each of node['data'] as Node[]) expandPath(state, store, each, rest);
    return;
  }
  const found = findExpansion(state, store, node, key);
  if (found !== undefined) node[key] = structuredClone(found);
  const next = node[key];
  if (typeof next === 'object' && next !== null) expandPath(state, store, next as Node, rest);
}

function findExpansion(
  state: StripeState,
  store: AccountStore,
  node: Node,
  key: string,
): object | undefined {
  const id = String(node['id']);
  if (node['object'] === 'checkout.session' && key === 'line_items') {
    const data = state.findCheckout(id).lineItems;
    return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${id}/line_items` };
  }
  if (node['object'] === 'charge' && key === 'refunds') {
    const data = store.refunds.all().filter((refund) => refund.charge === id);
    const url = `/v1/charges/${id}/refunds`;
    return { object: 'list', data: data.toReversed(), has_more: false, url };
  }
  const value = node[key];
  return typeof value === 'string' ? findObject(store, value) : undefined;
}

function findObject(store: AccountStore, id: string): object | undefined {
  return (
    store.intents.get(id) ??
    store.charges.get(id) ??
    store.refunds.get(id) ??
    store.disputes.get(id) ??
    store.transactions.get(id) ??
    store.sessions.get(id)
  );
}
