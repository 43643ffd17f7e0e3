import { readHeader } from '../shared/http-request-and-reply.ts';
import type { HttpExchange } from '../shared/server.ts';
import type { Conformance } from './api-description-conformance.ts';
import type { Call } from './call.ts';
import type { CallLog } from './call-log.ts';
import type { Channels } from './channels.ts';
import { ApiError, apiErrorFor, badRequest, notFound, notSupported } from './error-response.ts';
import { type AccessToken, CALENDAR_SCOPE, type Grants } from './grants.ts';
import type { ListTokens } from './list-tokens.ts';
import type { QuotaCounter } from './quota.ts';
import { type ApiResponse, type GoogleFaults, respond } from './respond-or-apply-fault.ts';
import { ROUTES, type Route } from './routes.ts';
import type { GoogleState } from './state.ts';

export interface ApiContext {
  state: GoogleState;
  grants: Grants;
  channels: Channels;
  listTokens: ListTokens;
  quota: QuotaCounter;
  faults: GoogleFaults;
  conformance: Conformance;
  calls: CallLog;
}

/** Serves one request to the Calendar API. */
export async function handleCalendarRequest(
  context: ApiContext,
  exchange: HttpExchange,
): Promise<void> {
  const { method, url, body } = exchange;
  const path = url.pathname;
  const route = ROUTES.find(
    (candidate) => candidate.method === method && candidate.path.test(path),
  );
  const accessToken = context.grants.findAccessToken(readBearerToken(exchange) ?? '');
  const at = context.state.clock.iso();
  context.conformance.checkRequest(method, url, body);
  const response = await respond(
    exchange,
    context.faults,
    () => toResponse(() => handleRoute(context, exchange, route, accessToken)),
    (status, reason) => ({ status, body: apiErrorFor(status, reason).body }),
  );
  if (response) context.conformance.checkResponse(method, path, response.status, response.body);
  context.calls.add({
    at,
    user: accessToken?.user ?? null,
    operation: route?.operation ?? null,
    method,
    path,
    status: response?.status ?? null,
  });
}

function toResponse(perform: () => object | null): ApiResponse {
  try {
    const body = perform();
    const etag = body && 'etag' in body ? { etag: String(body.etag) } : {};
    return { status: body === null ? 204 : 200, body, headers: etag };
  } catch (error) {
    return toErrorResponse(error);
  }
}

function toErrorResponse(error: unknown): ApiResponse {
  if (!(error instanceof ApiError)) {
    console.error('Fake Google failed:', error);
    return { status: 500, body: apiErrorFor(500).body };
  }
  const { status, reason } = error.details;
  if (status === 304) return { status, body: null };
  const realm = 'Bearer realm="https://accounts.google.com/"';
  const headers =
    status === 401
      ? { 'www-authenticate': `${realm}, error="invalid_token"` }
      : reason === 'insufficientPermissions'
        ? { 'www-authenticate': `${realm}, error="insufficient_scope"` }
        : {};
  return { status, body: error.body, headers };
}

function handleRoute(
  context: ApiContext,
  exchange: HttpExchange,
  route: Route | undefined,
  accessToken: AccessToken | undefined,
): object | null {
  if (!accessToken) throw unauthorized(readBearerToken(exchange));
  context.quota.count(accessToken.user);
  if (!route) throw notFound();
  if (!route.inScope || !accessToken.scopes.includes(CALENDAR_SCOPE)) throw insufficientScope();
  const { request, url } = exchange;
  if (url.searchParams.has('fields')) throw notSupported('partial responses (fields)');
  const groups = Object.entries(route.path.exec(url.pathname)?.groups ?? {});
  const call: Call = {
    state: context.state,
    channels: context.channels,
    listTokens: context.listTokens,
    user: accessToken.user,
    path: Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)])),
    query: url.searchParams,
    body: readBody(exchange),
    ifMatch: readHeader(request, 'if-match'),
    ifNoneMatch: readHeader(request, 'if-none-match'),
  };
  return route.handle(call);
}

function readBody({ body }: HttpExchange): Record<string, unknown> {
  if (body === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // The error is thrown below.
  }
  throw new ApiError({ ...badRequest('Parse Error').details, reason: 'parseError' });
}

function readBearerToken({ request }: HttpExchange): string | null {
  return (
    /^Bearer (?<token>.+)$/.exec(readHeader(request, 'authorization') ?? '')?.groups?.['token'] ??
    null
  );
}

function unauthorized(token: string | null): ApiError {
  const expected =
    'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  return new ApiError({
    status: 401,
    message:
      token === null
        ? `Request is missing required authentication credential. ${expected}`
        : `Request had invalid authentication credentials. ${expected}`,
    detail: token === null ? 'Login Required.' : 'Invalid Credentials',
    reason: token === null ? 'required' : 'authError',
    location: 'Authorization',
    locationType: 'header',
    grpcStatus: 'UNAUTHENTICATED',
  });
}

function insufficientScope(): ApiError {
  return new ApiError({
    status: 403,
    message: 'Request had insufficient authentication scopes.',
    detail: 'Insufficient Permission',
    reason: 'insufficientPermissions',
    grpcStatus: 'PERMISSION_DENIED',
  });
}
