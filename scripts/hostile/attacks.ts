import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { Shot } from './client.ts';
import { neighbours } from './crawl.ts';
import { type Filled, fillIn } from './example.ts';
import { oddBody, oddValue } from './odd-values.ts';
import type { Operation } from './operations.ts';
import { kindOf, type Pool } from './pool.ts';
import { ORIGIN } from './target.ts';
import type { Handle } from './victims.ts';

export type Caller = 'tutor' | 'nobody' | 'expired' | 'demo';

/** One request, and what is to be thought of its answer. */
export interface Attack {
  operation: Operation;
  /** 'student 1000002 of the victim at body.studentId' */
  what: string;
  caller: Caller;
  /** Without the caller's cookies, which are those of the moment in which it is sent. */
  shot: Shot;
  /** One more cookie, beside the caller's own. */
  cookie?: string;
  /** It names something that the caller does not have: it must not succeed. */
  mustFail: boolean;
  /** Nothing is wrong with it. */
  isOwn?: true;
}

export interface Weapons {
  random: Random;
  own: Pool;
  far: Pool;
  near: Pool;
  handles: readonly Handle[];
  today: string;
  username: string;
}

/** How many of each kind are sent for each operation. */
export interface Measure {
  own: number;
  named: number;
  /** 'each' is every token at every place. */
  handles: number | 'each';
  strangers: number;
  odd: number;
  bodies: number;
  crawl: number;
}

export function attacksOn(operation: Operation, weapons: Weapons, measure: Measure): Attack[] {
  const times = (count: number, make: () => Attack | undefined): Attack[] =>
    Array.from({ length: count }, make).filter((made) => made !== undefined);
  return [
    ...times(measure.own, () => own(operation, weapons)),
    ...times(measure.named, () => named(operation, weapons)),
    ...(measure.handles === 'each'
      ? eachHandle(operation, weapons)
      : times(measure.handles, () => withHandle(operation, weapons))),
    ...times(measure.strangers, () => stranger(operation, weapons)),
    ...times(measure.odd, () => odd(operation, weapons)),
    ...times(measure.bodies, () => wholeBody(operation, weapons)),
    ...times(measure.crawl, () => crawl(operation, weapons)),
  ];
}

function own(operation: Operation, weapons: Weapons): Attack {
  const filled = fill(operation, weapons, weapons.own);
  return { ...attack(operation, 'as it should be', filled, 'tutor', false), isOwn: true };
}

/** Each position that names something names a victim's, one after the other; the rest is the caller's own. */
function named(operation: Operation, weapons: Weapons): Attack | undefined {
  const { random, far, near } = weapons;
  const filled = fill(operation, weapons, weapons.own);
  const places = placesOf(filled).filter(({ field }) => kindOf(operation.name, field));
  if (places.length === 0) return undefined;
  const { field, set, isPath } = random.pick(places);
  const isFar = random.chance(0.7);
  const pool = isFar ? far : near;
  const kind = kindOf(operation.name, field) ?? '';
  const ids = pool[kind]?.length ? pool[kind] : (pool[kind.replace(/:.*/, '')] ?? []);
  // Names of logins and passkeys are canaries by now, and those are never said.
  if (ids.length === 0 || typeof ids[0] === 'string') return undefined;
  const id = random.pick(ids);
  set(id);
  const what = `${kind} ${id} of a victim at ${field}`;
  return attack(operation, what, filled, 'tutor', isFar && isPath);
}

function withHandle(operation: Operation, weapons: Weapons): Attack | undefined {
  const { random } = weapons;
  const { kind, value, doors } = random.pick(weapons.handles);
  const atItsDoor = doors?.test(operation.path) ?? false;
  // What a token opens for whoever has it is no leak: there it comes with one letter changed.
  const said = atItsDoor ? `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}` : value;
  const filled = fill(operation, weapons, weapons.own);
  const places = placesOf(filled);
  const headers: Record<string, string> = {};
  const inHeader = random.chance(0.3) || places.length === 0;
  let where: string;
  let cookie: string | undefined;
  if (inHeader) {
    where = random.pick(HEADERS);
    if (where.startsWith('cookie ')) cookie = `${where.slice(7)}=${said}`;
    else headers[where] = where === 'authorization' ? `Bearer ${said}` : said;
  } else {
    const place = random.pick(places);
    place.set(said);
    where = place.field;
  }
  const what = `${kind} of a victim at ${where}`;
  const made = attack(operation, what, filled, 'tutor', false, headers);
  // Whoever brings the ticket of the password's step may go on from there.
  return cookie && kind !== 'ticket to the second step' ? { ...made, cookie } : made;
}

function eachHandle(operation: Operation, weapons: Weapons): Attack[] {
  return weapons.handles.flatMap(({ kind, value }) =>
    placesOf(fill(operation, weapons, weapons.own)).map((_, at) => {
      const filled = fill(operation, weapons, weapons.own);
      const place = placesOf(filled)[at];
      place?.set(value);
      return attack(operation, `${kind} of a victim at ${place?.field}`, filled, 'tutor', false);
    }),
  );
}

const HEADERS = [
  'authorization',
  'idempotency-key',
  'if-none-match',
  'x-tutor-id',
  'x-user-id',
  'x-forwarded-for',
  'x-forwarded-user',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
  'referer',
  'user-agent',
  'stripe-signature',
  'x-goog-channel-id',
  'x-goog-channel-token',
  'x-hub-signature-256',
  'cookie lessonbook-step',
  'cookie lessonbook-google',
  'cookie lessonbook-device',
  'cookie tutor_id',
];

/** Nobody, whoever has an old login of the victim's, and a visitor of the demo, with ids of all three books. */
function stranger(operation: Operation, weapons: Weapons): Attack {
  const { random, far, near } = weapons;
  const caller = random.pick<Caller>(['nobody', 'expired', 'demo']);
  const filled = fill(operation, weapons, random.pick([far, near]));
  // The names of logins and passkeys of a victim are canaries.
  for (const { set } of placesOf(filled).filter(({ value }) => /qzvleak/i.test(String(value))))
    set('x');
  return attack(operation, `by ${caller}, with ids of a victim`, filled, caller, false);
}

function odd(operation: Operation, weapons: Weapons): Attack | undefined {
  const { random } = weapons;
  const filled = fill(operation, weapons, weapons.own);
  const places = placesOf(filled);
  if (places.length === 0) return undefined;
  const { field, set } = random.pick(places);
  const value = oddValue(random);
  set(value);
  const shown = JSON.stringify(value).slice(0, 60);
  return attack(operation, `${shown} at ${field}`, filled, 'tutor', false);
}

function wholeBody(operation: Operation, weapons: Weapons): Attack {
  const filled = fill(operation, weapons, weapons.own);
  const { type, text } = oddBody(weapons.random, filled.body);
  const made = attack(
    operation,
    `${type || 'no type'}: ${String(text).slice(0, 60)}`,
    filled,
    'tutor',
    false,
  );
  const { 'content-type': _replaced, ...headers } = made.shot.headers;
  made.shot.headers = type ? { ...headers, 'content-type': type } : headers;
  made.shot.body = text;
  if (operation.method === 'GET') made.shot.method = 'GET';
  return made;
}

function crawl(operation: Operation, weapons: Weapons): Attack {
  const filled = fill(operation, weapons, weapons.own);
  const made = attack(operation, '', filled, 'tutor', false);
  const { method, path } = neighbours(weapons.random, made.shot.method, made.shot.path);
  made.shot = { ...made.shot, method, path };
  return { ...made, what: `beside what is described: ${method} ${path.slice(0, 80)}` };
}

const fill = (operation: Operation, { random, today, username }: Weapons, pool: Pool): Filled =>
  fillIn({ operation, random, pool, today, username });

interface Place {
  /** 'body.lines[0].chargeId' */
  field: string;
  value: unknown;
  set: (value: unknown) => void;
  isPath: boolean;
}

/** Every position of a request in which a value stands, however deep. */
function placesOf(filled: Filled): Place[] {
  const places: Place[] = [];
  const walk = (holder: Record<string, unknown>, field: string, isPath: boolean): void => {
    for (const [name, value] of Object.entries(holder)) {
      const at = Array.isArray(holder)
        ? `${field}[${name}]`
        : field === ''
          ? name
          : `${field}.${name}`;
      places.push({ field: at, value, isPath, set: (next) => (holder[name] = next) });
      if (typeof value === 'object' && value !== null)
        walk(value as Record<string, unknown>, at, isPath);
    }
  };
  walk(filled.path, '', true);
  walk(filled.query, '', false);
  if (typeof filled.body === 'object' && filled.body !== null)
    walk(filled.body as Record<string, unknown>, '', false);
  return places;
}

function attack(
  operation: Operation,
  what: string,
  { path, query, body }: Filled,
  caller: Caller,
  mustFail: boolean,
  extra: Record<string, string> = {},
): Attack {
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(path[name]));
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}`)
    .join('&');
  const headers: Record<string, string> = {
    origin: ORIGIN,
    'accept-encoding': 'gzip, br',
    ...extra,
  };
  if (operation.body) headers['content-type'] = 'application/json';
  const shot: Shot = {
    method: operation.method,
    path: search ? `${address}?${search}` : address,
    headers,
    ...(operation.body ? { body: JSON.stringify(body) } : {}),
  };
  return { operation, what, caller, shot, mustFail };
}

/** Lone halves of a pair of letters cannot be encoded; they go as the bytes of what stands for nothing. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}
