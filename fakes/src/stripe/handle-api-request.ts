import type { IncomingMessage, ServerResponse } from 'node:http';
import { dropConnection, readHeader } from '../shared/http-request-and-reply.ts';
import type { Conformance } from './api-description-conformance.ts';
import { expireOverdueSessions } from './checkout-sessions.ts';
import { ApiError } from './error-response.ts';
import { API_VERSION } from './event-types.ts';
import { faultBody, type StripeFault, type StripeFaults } from './fault-error-replies.ts';
import { type Form, parseForm } from './form-encoding.ts';
import { computeFingerprint, type IdempotencyKeys, type StoredResponse } from './idempotency.ts';
import { ROUTES, type Route } from './routes.ts';
import type { StripeState } from './state.ts';

export interface ApiContext {
  state: StripeState;
  apiKey: string;
  idempotencyKeys: IdempotencyKeys;
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

type ApiResponse = StoredResponse & { replayed?: boolean };

/** Handles an API request, or applies a fault. */
export async function handleStripeRequest(
  context: ApiContext,
  request: IncomingMessage,
  reply: ServerResponse,
  url: URL,
  body: string,
): Promise<void> {
  const { faults, conformance, state } = context;
  const method = request.method ?? 'GET';
  const fault = faults.next(method, url.pathname);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') return dropConnection(request);

  const call: ApiRequest = {
    method,
    path: url.pathname,
    account: readAccount(request),
    key: readHeader(request, 'idempotency-key'),
    requestId: state.newId('request'),
    params: {},
  };
  const response = await processRequest(context, call, request, url, body, fault);
  if (fault?.kind === 'done-then-reset') return dropConnection(request);
  if (fault?.kind === 'unexpected-fields') {
    const merged = { ...(JSON.parse(response.text) as object), ...fault.merge };
    response.text = JSON.stringify(merged);
  }
  conformance.checkResponse(method, call.path, response.status, JSON.parse(response.text));
  reply.writeHead(response.status, {
    'content-type': 'application/json',
    'request-id': call.requestId,
    'stripe-version': readHeader(request, 'stripe-version') ?? API_VERSION,
    ...(call.account === null ? {} : { 'stripe-account': call.account }),
    ...(call.key === null ? {} : { 'idempotency-key': call.key }),
    ...(response.replayed
      ? { 'idempotent-replayed': 'true', 'original-request': response.requestId }
      : {}),
  });
  reply.end(response.text);
}

async function processRequest(
  context: ApiContext,
  call: ApiRequest,
  request: IncomingMessage,
  url: URL,
  body: string,
  fault: StripeFault | undefined,
): Promise<ApiResponse> {
  const { requestId, method, path } = call;
  try {
    checkApiKey(context.apiKey, request);
    const route = ROUTES.find(
      (candidate) => candidate.method === method && candidate.path.test(path),
    );
    call.params = parseParams(call, url, body);
    context.conformance.checkRequest(method, path, call.params);
    if (!route) throw unknownRoute(method, path);
    return await withIdempotency(context, call, route, fault);
  } catch (error) {
    return { ...toErrorResponse(error), requestId };
  }
}

/** Performs the request, or returns the stored response for the same key. */
async function withIdempotency(
  context: ApiContext,
  call: ApiRequest,
  route: Route,
  fault: StripeFault | undefined,
): Promise<ApiResponse> {
  const { idempotencyKeys } = context;
  const isV2 = call.path.startsWith('/v2/');
  const key = call.method === 'POST' && call.key !== null ? `${call.account}|${call.key}` : null;
  if (key !== null) {
    const fingerprint = computeFingerprint(call.method, call.path, call.params);
    const stored = idempotencyKeys.begin(key, fingerprint, isV2 ? 30 : 1);
    if (stored) return { ...stored, replayed: true };
  }
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));

  const { response, canStore } = perform(context, call, route, fault);
  if (key !== null) {
    // v2 performs failed requests again; v1 replays any response once processing has begun.
    if (canStore && (response.status === 200 || !isV2)) idempotencyKeys.store(key, { ...response });
    else idempotencyKeys.release(key);
  }
  return response;
}

function perform(
  context: ApiContext,
  call: ApiRequest,
  route: Route,
  fault: StripeFault | undefined,
) {
  const { state } = context;
  const { requestId } = call;
  if (fault?.kind === 'status') {
    const text = JSON.stringify(faultBody(fault.status));
    return { response: { status: fault.status, text, requestId }, canStore: fault.stored ?? false };
  }
  state.currentRequest = { id: requestId, idempotency_key: call.key };
  try {
    expireOverdueSessions(state);
    const store = call.path.startsWith('/v1/')
      ? state.storeOrThrow(call.account)
      : state.storeFor(null);
    const id = decodeURIComponent(route.path.exec(call.path)?.groups?.['id'] ?? '');
    const result = route.handle({ state, store, id, params: call.params });
    return { response: { status: 200, text: JSON.stringify(result), requestId }, canStore: true };
  } catch (error) {
    const canStore = !(error instanceof ApiError && error.details.beforeProcessing);
    return { response: { ...toErrorResponse(error), requestId }, canStore };
  } finally {
    state.currentRequest = null;
  }
}

function toErrorResponse(error: unknown): { status: number; text: string } {
  if (error instanceof ApiError) {
    return { status: error.details.status, text: JSON.stringify(error.body) };
  }
  console.error('Fake Stripe failed:', error);
  return { status: 500, text: JSON.stringify(faultBody(500)) };
}

function checkApiKey(apiKey: string, request: IncomingMessage): void {
  const authorization = readHeader(request, 'authorization');
  if (authorization === `Bearer ${apiKey}`) return;
  const masked = authorization?.replace(/^Bearer /, '').replace(/(?<=^.{8}).+(?=.{4}$)/, '****');
  const message =
    masked === undefined
      ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
      : `Invalid API Key provided: ${masked}`;
  throw new ApiError({ status: 401, code: 'invalid_api_key', message });
}

function parseParams(call: ApiRequest, url: URL, body: string): Form {
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

/** `Stripe-Context` is the newer header; its last segment is the account. */
function readAccount(request: IncomingMessage): string | null {
  const context = readHeader(request, 'stripe-context')?.split('/').at(-1);
  return readHeader(request, 'stripe-account') ?? context ?? null;
}
