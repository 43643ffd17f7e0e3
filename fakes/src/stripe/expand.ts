import type { Room, World } from './world.ts';

type Node = Record<string, unknown>;

/** Puts whole objects where the answer has their ids, for the paths that `expand` names. */
export function expand(world: World, room: Room, answer: object, paths: readonly string[]): object {
  if (paths.length === 0) return answer;
  const copy = structuredClone(answer) as Node;
  for (const path of paths) follow(world, room, copy, path.split('.'));
  return copy;
}

function follow(world: World, room: Room, node: Node, keys: readonly string[]): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  if (key === 'data' && Array.isArray(node['data'])) {
    for (const each of node['data'] as Node[]) follow(world, room, each, rest);
    return;
  }
  const found = lookUp(world, room, node, key);
  if (found !== undefined) node[key] = structuredClone(found);
  const next = node[key];
  if (typeof next === 'object' && next !== null) follow(world, room, next as Node, rest);
}

function lookUp(world: World, room: Room, node: Node, key: string): object | undefined {
  const id = String(node['id']);
  if (node['object'] === 'checkout.session' && key === 'line_items') {
    const data = world.plan(id).lineItems;
    return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${id}/line_items` };
  }
  if (node['object'] === 'charge' && key === 'refunds') {
    const data = room.refunds.all().filter((refund) => refund.charge === id);
    const url = `/v1/charges/${id}/refunds`;
    return { object: 'list', data: data.toReversed(), has_more: false, url };
  }
  const value = node[key];
  return typeof value === 'string' ? objectById(room, value) : undefined;
}

function objectById(room: Room, id: string): object | undefined {
  return (
    room.intents.get(id) ??
    room.charges.get(id) ??
    room.refunds.get(id) ??
    room.disputes.get(id) ??
    room.transactions.get(id) ??
    room.sessions.get(id)
  );
}
