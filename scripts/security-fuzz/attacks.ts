import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { buildRequest, type RequestData } from './example-request.ts';
import { type IdPool, resourceKind } from './id-pool.ts';
import { malformedBody, malformedValue } from './malformed-values.ts';
import { mutatePath } from './mutate-path.ts';
import type { Operation } from './operations.ts';
import type { RawRequest } from './raw-client.ts';
import { ORIGIN } from './target.ts';
import type { LeakedToken } from './victim-data.ts';

export type Caller = 'tutor' | 'nobody' | 'expired' | 'demo';

/** One request, and what is to be thought of its answer. */
export interface Attack {
  operation: Operation;
  /** 'student 1000002 of the victim at body.studentId' */
  what: string;
  caller: Caller;
  /** Without the caller's cookies, which are those of the moment in which it is sent. */
  request: RawRequest;
  /** One more cookie, beside the caller's own. */
  cookie?: string;
  /** It names something that the caller does not have: it must not succeed. */
  mustFail: boolean;
  /** Nothing is wrong with it. */
  isValid?: true;
}

export interface AttackContext {
  random: Random;
  own: IdPool;
  far: IdPool;
  near: IdPool;
  tokens: readonly LeakedToken[];
  today: string;
  username: string;
}

/** How many of each kind are sent for each operation. */
export interface AttackCounts {
  own: number;
  named: number;
  /** 'each' is every token at every place. */
  handles: number | 'each';
  strangers: number;
  odd: number;
  bodies: number;
  crawl: number;
}

export function generateAttacks(
  operation: Operation,
  context: AttackContext,
  counts: AttackCounts,
): Attack[] {
  const times = (count: number, make: () => Attack | undefined): Attack[] =>
    Array.from({ length: count }, make).filter((made) => made !== undefined);
  return [
    ...times(counts.own, () => validAttack(operation, context)),
    ...times(counts.named, () => foreignIdAttack(operation, context)),
    ...(counts.handles === 'each'
      ? allLeakedTokenAttacks(operation, context)
      : times(counts.handles, () => leakedTokenAttack(operation, context))),
    ...times(counts.strangers, () => otherCallerAttack(operation, context)),
    ...times(counts.odd, () => malformedValueAttack(operation, context)),
    ...times(counts.bodies, () => malformedBodyAttack(operation, context)),
    ...times(counts.crawl, () => mutatedPathAttack(operation, context)),
  ];
}

function validAttack(operation: Operation, context: AttackContext): Attack {
  const data = fillRequest(operation, context, context.own);
  return { ...createAttack(operation, 'as it should be', data, 'tutor', false), isValid: true };
}

/** Each position that names something names a victim's, one after the other; the rest is the caller's own. */
function foreignIdAttack(operation: Operation, context: AttackContext): Attack | undefined {
  const { random, far, near } = context;
  const data = fillRequest(operation, context, context.own);
  const places = valuePositions(data).filter(({ field }) => resourceKind(operation.name, field));
  if (places.length === 0) return undefined;
  const { field, set, isPath } = random.pick(places);
  const isFar = random.chance(0.7);
  const pool = isFar ? far : near;
  const kind = resourceKind(operation.name, field) ?? '';
  const ids = pool[kind]?.length ? pool[kind] : (pool[kind.replace(/:.*/, '')] ?? []);
  // Names of logins and passkeys are canaries by now, and those are never said.
  if (ids.length === 0 || typeof ids[0] === 'string') return undefined;
  const id = random.pick(ids);
  set(id);
  const what = `${kind} ${id} of a victim at ${field}`;
  return createAttack(operation, what, data, 'tutor', isFar && isPath);
}

function leakedTokenAttack(operation: Operation, context: AttackContext): Attack | undefined {
  const { random } = context;
  const { kind, value, validPaths } = random.pick(context.tokens);
  const atItsDoor = validPaths?.test(operation.path) ?? false;
  // What a token opens for whoever has it is no leak: there it comes with one letter changed.
  const said = atItsDoor ? `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}` : value;
  const data = fillRequest(operation, context, context.own);
  const places = valuePositions(data);
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
  const made = createAttack(operation, what, data, 'tutor', false, headers);
  // Whoever brings the ticket of the password's step may go on from there.
  return cookie && kind !== 'ticket to the second step' ? { ...made, cookie } : made;
}

function allLeakedTokenAttacks(operation: Operation, context: AttackContext): Attack[] {
  return context.tokens.flatMap(({ kind, value }) =>
    valuePositions(fillRequest(operation, context, context.own)).map((_, at) => {
      const data = fillRequest(operation, context, context.own);
      const place = valuePositions(data)[at];
      place?.set(value);
      return createAttack(
        operation,
        `${kind} of a victim at ${place?.field}`,
        data,
        'tutor',
        false,
      );
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
function otherCallerAttack(operation: Operation, context: AttackContext): Attack {
  const { random, far, near } = context;
  const caller = random.pick<Caller>(['nobody', 'expired', 'demo']);
  const data = fillRequest(operation, context, random.pick([far, near]));
  // The names of logins and passkeys of a victim are canaries.
  for (const { set } of valuePositions(data).filter(({ value }) => /qzvleak/i.test(String(value))))
    set('x');
  return createAttack(operation, `by ${caller}, with ids of a victim`, data, caller, false);
}

function malformedValueAttack(operation: Operation, context: AttackContext): Attack | undefined {
  const { random } = context;
  const data = fillRequest(operation, context, context.own);
  const places = valuePositions(data);
  if (places.length === 0) return undefined;
  const { field, set } = random.pick(places);
  const value = malformedValue(random);
  set(value);
  const shown = JSON.stringify(value).slice(0, 60);
  return createAttack(operation, `${shown} at ${field}`, data, 'tutor', false);
}

function malformedBodyAttack(operation: Operation, context: AttackContext): Attack {
  const data = fillRequest(operation, context, context.own);
  const { type, text } = malformedBody(context.random, data.body);
  const made = createAttack(
    operation,
    `${type || 'no type'}: ${String(text).slice(0, 60)}`,
    data,
    'tutor',
    false,
  );
  const { 'content-type': _replaced, ...headers } = made.request.headers;
  made.request.headers = type ? { ...headers, 'content-type': type } : headers;
  made.request.body = text;
  if (operation.method === 'GET') made.request.method = 'GET';
  return made;
}

function mutatedPathAttack(operation: Operation, context: AttackContext): Attack {
  const data = fillRequest(operation, context, context.own);
  const made = createAttack(operation, '', data, 'tutor', false);
  const { method, path } = mutatePath(context.random, made.request.method, made.request.path);
  made.request = { ...made.request, method, path };
  return { ...made, what: `beside what is described: ${method} ${path.slice(0, 80)}` };
}

const fillRequest = (
  operation: Operation,
  { random, today, username }: AttackContext,
  pool: IdPool,
): RequestData => buildRequest({ operation, random, pool, today, username });

interface ValuePosition {
  /** 'body.lines[0].chargeId' */
  field: string;
  value: unknown;
  set: (value: unknown) => void;
  isPath: boolean;
}

/** Every position of a request in which a value stands, however deep. */
function valuePositions(data: RequestData): ValuePosition[] {
  const places: ValuePosition[] = [];
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
  walk(data.path, '', true);
  walk(data.query, '', false);
  if (typeof data.body === 'object' && data.body !== null)
    walk(data.body as Record<string, unknown>, '', false);
  return places;
}

function createAttack(
  operation: Operation,
  what: string,
  { path, query, body }: RequestData,
  caller: Caller,
  mustFail: boolean,
  extra: Record<string, string> = {},
): Attack {
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodePath(path[name]));
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodePath(value)}`)
    .join('&');
  const headers: Record<string, string> = {
    origin: ORIGIN,
    'accept-encoding': 'gzip, br',
    ...extra,
  };
  if (operation.body) headers['content-type'] = 'application/json';
  const rawRequest: RawRequest = {
    method: operation.method,
    path: search ? `${address}?${search}` : address,
    headers,
    ...(operation.body ? { body: JSON.stringify(body) } : {}),
  };
  return { operation, what, caller, request: rawRequest, mustFail };
}

/** Lone halves of a pair of letters cannot be encoded; they go as the bytes of what stands for nothing. */
function encodePath(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}
