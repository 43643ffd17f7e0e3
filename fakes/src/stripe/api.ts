import type { IncomingMessage, ServerResponse } from 'node:http';
import { drop, header } from '../shared/reply.ts';
import type { Conformance } from './conformance.ts';
import { API_VERSION } from './event-types.ts';
import { faultBody, type StripeFault, type StripeFaults } from './faults.ts';
import { type Form, readForm } from './form.ts';
import { fingerprintOf, type IdempotencyKeys, type KeptAnswer } from './idempotency.ts';
import { Refusal } from './refusal.ts';
import { ROUTES, type Route } from './routes.ts';
import { expireOverdue } from './sessions.ts';
import type { World } from './world.ts';

export interface ApiParts {
  world: World;
  apiKey: string;
  keys: IdempotencyKeys;
  faults: StripeFaults;
  conformance: Conformance;
}

interface Asked {
  method: string;
  path: string;
  account: string | null;
  key: string | null;
  requestId: string;
  params: Form;
}

type Answer = KeptAnswer & { replayed?: boolean };

/** Serves one request to the API, or lets go wrong what a fault says. */
export async function answerApi(
  parts: ApiParts,
  request: IncomingMessage,
  reply: ServerResponse,
  url: URL,
  body: string,
): Promise<void> {
  const { faults, conformance, world } = parts;
  const method = request.method ?? 'GET';
  const fault = faults.take(method, url.pathname);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') return drop(request);

  const asked: Asked = {
    method,
    path: url.pathname,
    account: accountOf(request),
    key: header(request, 'idempotency-key'),
    requestId: world.newId('request'),
    params: {},
  };
  const answer = await work(parts, asked, request, url, body, fault);
  if (fault?.kind === 'done-then-reset') return drop(request);
  if (fault?.kind === 'odd') {
    const odd = { ...(JSON.parse(answer.text) as object), ...fault.merge };
    answer.text = JSON.stringify(odd);
  }
  conformance.answer(method, asked.path, answer.status, JSON.parse(answer.text));
  reply.writeHead(answer.status, {
    'content-type': 'application/json',
    'request-id': asked.requestId,
    'stripe-version': header(request, 'stripe-version') ?? API_VERSION,
    ...(asked.account === null ? {} : { 'stripe-account': asked.account }),
    ...(asked.key === null ? {} : { 'idempotency-key': asked.key }),
    ...(answer.replayed
      ? { 'idempotent-replayed': 'true', 'original-request': answer.requestId }
      : {}),
  });
  reply.end(answer.text);
}

async function work(
  parts: ApiParts,
  asked: Asked,
  request: IncomingMessage,
  url: URL,
  body: string,
  fault: StripeFault | undefined,
): Promise<Answer> {
  const { requestId, method, path } = asked;
  try {
    checkKey(parts.apiKey, request);
    const route = ROUTES.find((each) => each.method === method && each.path.test(path));
    asked.params = paramsOf(asked, url, body);
    parts.conformance.request(method, path, asked.params);
    if (!route) throw unknownRoute(method, path);
    return await once(parts, asked, route, fault);
  } catch (problem) {
    return { ...refused(problem), requestId };
  }
}

/** Does the work, or hands out what was answered the first time under the same key. */
async function once(
  parts: ApiParts,
  asked: Asked,
  route: Route,
  fault: StripeFault | undefined,
): Promise<Answer> {
  const { keys } = parts;
  const isV2 = asked.path.startsWith('/v2/');
  const key =
    asked.method === 'POST' && asked.key !== null ? `${asked.account}|${asked.key}` : null;
  if (key !== null) {
    const print = fingerprintOf(asked.method, asked.path, asked.params);
    const kept = keys.begin(key, print, isV2 ? 30 : 1);
    if (kept) return { ...kept, replayed: true };
  }
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));

  const { answer, keep } = perform(parts, asked, route, fault);
  if (key !== null) {
    // v2 does the work of a failed request again; v1 repeats whatever came once work had begun.
    if (keep && (answer.status === 200 || !isV2)) keys.keep(key, { ...answer });
    else keys.free(key);
  }
  return answer;
}

function perform(parts: ApiParts, asked: Asked, route: Route, fault: StripeFault | undefined) {
  const { world } = parts;
  const { requestId } = asked;
  if (fault?.kind === 'status') {
    const text = JSON.stringify(faultBody(fault.status));
    return { answer: { status: fault.status, text, requestId }, keep: fault.kept ?? false };
  }
  world.cause = { id: requestId, idempotency_key: asked.key };
  try {
    expireOverdue(world);
    const room = asked.path.startsWith('/v1/') ? world.roomFor(asked.account) : world.room(null);
    const id = decodeURIComponent(route.path.exec(asked.path)?.groups?.['id'] ?? '');
    const result = route.work({ world, room, id, params: asked.params });
    return { answer: { status: 200, text: JSON.stringify(result), requestId }, keep: true };
  } catch (problem) {
    const keep = !(problem instanceof Refusal && problem.facts.beforeWork);
    return { answer: { ...refused(problem), requestId }, keep };
  } finally {
    world.cause = null;
  }
}

function refused(problem: unknown): { status: number; text: string } {
  if (problem instanceof Refusal) {
    return { status: problem.facts.status, text: JSON.stringify(problem.body) };
  }
  console.error('The stand-in for Stripe failed:', problem);
  return { status: 500, text: JSON.stringify(faultBody(500)) };
}

function checkKey(apiKey: string, request: IncomingMessage): void {
  const given = header(request, 'authorization');
  if (given === `Bearer ${apiKey}`) return;
  const shown = given?.replace(/^Bearer /, '').replace(/(?<=^.{8}).+(?=.{4}$)/, '****');
  const message =
    shown === undefined
      ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
      : `Invalid API Key provided: ${shown}`;
  throw new Refusal({ status: 401, code: 'invalid_api_key', message });
}

function paramsOf(asked: Asked, url: URL, body: string): Form {
  if (asked.method === 'GET') return readForm(url.search);
  if (!asked.path.startsWith('/v2/')) return readForm(body);
  try {
    return body === '' ? {} : (JSON.parse(body) as Form);
  } catch {
    throw new Refusal({ status: 400, code: 'invalid_json', message: 'The body is not JSON.' });
  }
}

function unknownRoute(method: string, path: string): Refusal {
  return new Refusal({
    status: 404,
    code: 'not_found',
    message:
      `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove ` +
      'the trailing slash. If you are trying to retrieve an object, make sure you passed a valid ' +
      '(non-empty) identifier in your code.',
  });
}

/** `Stripe-Context` is the newer header; its last part is the account. */
function accountOf(request: IncomingMessage): string | null {
  const context = header(request, 'stripe-context')?.split('/').at(-1);
  return header(request, 'stripe-account') ?? context ?? null;
}
