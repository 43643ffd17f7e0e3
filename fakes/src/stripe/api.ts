import type { IncomingMessage, ServerResponse } from 'node:http';
import { dropConnection, readHeader } from '../shared/http-reply.ts';
import type { Conformance } from './conformance.ts';
import { ApiError } from './error-response.ts';
import { API_VERSION } from './event-types.ts';
import { faultBody, type StripeFault, type StripeFaults } from './faults.ts';
import { type Form, parseForm } from './form-encoding.ts';
import { computeFingerprint, type IdempotencyKeys, type StoredResponse } from './idempotency.ts';
import { ROUTES, type Route } from './routes.ts';
import { expireOverdue } from './sessions.ts';
import type { StripeState } from './state.ts';

export interface ApiContext {
  state: StripeState;
  apiKey: string;
  keys: IdempotencyKeys;
  faults: StripeFaults;
  conformance: Conformance;
}

interface ApiRequest {
  method: string;
  path: string;
  account: string | null;
  key: string | null;
  requestId: string;
  params: Form;
}

type Answer = StoredResponse & { replayed?: boolean };

/** Serves one request to the API, or lets go wrong what a fault says. */
export async function handleApi(
  parts: ApiContext,
  request: IncomingMessage,
  reply: ServerResponse,
  url: URL,
  body: string,
): Promise<void> {
  const { faults, conformance, state } = parts;
  const method = request.method ?? 'GET';
  const fault = faults.next(method, url.pathname);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') return dropConnection(request);

  const call: ApiRequest = {
    method,
    path: url.pathname,
    account: accountOf(request),
    key: readHeader(request, 'idempotency-key'),
    requestId: state.newId('request'),
    params: {},
  };
  const answer = await handleRequest(parts, call, request, url, body, fault);
  if (fault?.kind === 'done-then-reset') return dropConnection(request);
  if (fault?.kind === 'odd') {
    const odd = { ...(JSON.parse(answer.text) as object), ...fault.merge };
    answer.text = JSON.stringify(odd);
  }
  conformance.answer(method, call.path, answer.status, JSON.parse(answer.text));
  reply.writeHead(answer.status, {
    'content-type': 'application/json',
    'request-id': call.requestId,
    'stripe-version': readHeader(request, 'stripe-version') ?? API_VERSION,
    ...(call.account === null ? {} : { 'stripe-account': call.account }),
    ...(call.key === null ? {} : { 'idempotency-key': call.key }),
    ...(answer.replayed
      ? { 'idempotent-replayed': 'true', 'original-request': answer.requestId }
      : {}),
  });
  reply.end(answer.text);
}

async function handleRequest(
  parts: ApiContext,
  call: ApiRequest,
  request: IncomingMessage,
  url: URL,
  body: string,
  fault: StripeFault | undefined,
): Promise<Answer> {
  const { requestId, method, path } = call;
  try {
    checkKey(parts.apiKey, request);
    const route = ROUTES.find((each) => each.method === method && each.path.test(path));
    call.params = paramsOf(call, url, body);
    parts.conformance.request(method, path, call.params);
    if (!route) throw unknownRoute(method, path);
    return await withIdempotency(parts, call, route, fault);
  } catch (problem) {
    return { ...toErrorResponse(problem), requestId };
  }
}

/** Does the work, or hands out what was answered the first time under the same key. */
async function withIdempotency(
  parts: ApiContext,
  call: ApiRequest,
  route: Route,
  fault: StripeFault | undefined,
): Promise<Answer> {
  const { keys } = parts;
  const isV2 = call.path.startsWith('/v2/');
  const key = call.method === 'POST' && call.key !== null ? `${call.account}|${call.key}` : null;
  if (key !== null) {
    const print = computeFingerprint(call.method, call.path, call.params);
    const kept = keys.begin(key, print, isV2 ? 30 : 1);
    if (kept) return { ...kept, replayed: true };
  }
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));

  const { answer, keep } = perform(parts, call, route, fault);
  if (key !== null) {
    // v2 does the work of a failed request again; v1 repeats whatever came once work had begun.
    if (keep && (answer.status === 200 || !isV2)) keys.store(key, { ...answer });
    else keys.release(key);
  }
  return answer;
}

function perform(
  parts: ApiContext,
  call: ApiRequest,
  route: Route,
  fault: StripeFault | undefined,
) {
  const { state } = parts;
  const { requestId } = call;
  if (fault?.kind === 'status') {
    const text = JSON.stringify(faultBody(fault.status));
    return { answer: { status: fault.status, text, requestId }, keep: fault.kept ?? false };
  }
  state.cause = { id: requestId, idempotency_key: call.key };
  try {
    expireOverdue(state);
    const store = call.path.startsWith('/v1/')
      ? state.storeOrThrow(call.account)
      : state.store(null);
    const id = decodeURIComponent(route.path.exec(call.path)?.groups?.['id'] ?? '');
    const result = route.handle({ state, store, id, params: call.params });
    return { answer: { status: 200, text: JSON.stringify(result), requestId }, keep: true };
  } catch (problem) {
    const keep = !(problem instanceof ApiError && problem.details.beforeWork);
    return { answer: { ...toErrorResponse(problem), requestId }, keep };
  } finally {
    state.cause = null;
  }
}

function toErrorResponse(problem: unknown): { status: number; text: string } {
  if (problem instanceof ApiError) {
    return { status: problem.details.status, text: JSON.stringify(problem.body) };
  }
  console.error('The stand-in for Stripe failed:', problem);
  return { status: 500, text: JSON.stringify(faultBody(500)) };
}

function checkKey(apiKey: string, request: IncomingMessage): void {
  const given = readHeader(request, 'authorization');
  if (given === `Bearer ${apiKey}`) return;
  const shown = given?.replace(/^Bearer /, '').replace(/(?<=^.{8}).+(?=.{4}$)/, '****');
  const message =
    shown === undefined
      ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
      : `Invalid API Key provided: ${shown}`;
  throw new ApiError({ status: 401, code: 'invalid_api_key', message });
}

function paramsOf(call: ApiRequest, url: URL, body: string): Form {
  if (call.method === 'GET') return parseForm(url.search);
  if (!call.path.startsWith('/v2/')) return parseForm(body);
  try {
    return body === '' ? {} : (JSON.parse(body) as Form);
  } catch {
    throw new ApiError({ status: 400, code: 'invalid_json', message: 'The body is not JSON.' });
  }
}

function unknownRoute(method: string, path: string): ApiError {
  return new ApiError({
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
  const context = readHeader(request, 'stripe-context')?.split('/').at(-1);
  return readHeader(request, 'stripe-account') ?? context ?? null;
}
