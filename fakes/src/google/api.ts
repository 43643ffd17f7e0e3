import { header } from '../shared/reply.ts';
import type { Exchange } from '../shared/server.ts';
import { type Answer, answerWith, type GoogleFaults } from './answer.ts';
import type { Call } from './call.ts';
import type { CallLog } from './call-log.ts';
import type { Channels } from './channels.ts';
import type { Conformance } from './conformance.ts';
import { type AccessToken, CALENDAR_SCOPE, type Grants } from './grants.ts';
import type { ListMemory } from './list-memory.ts';
import { badRequest, notCovered, notFound, Refusal, refusalOf } from './refusal.ts';
import { ROUTES, type Route } from './routes.ts';
import type { Traffic } from './traffic.ts';
import type { World } from './world.ts';

export interface ApiParts {
  world: World;
  grants: Grants;
  channels: Channels;
  lists: ListMemory;
  traffic: Traffic;
  faults: GoogleFaults;
  conformance: Conformance;
  calls: CallLog;
}

/** Serves one request to the Calendar API. */
export async function answerApi(parts: ApiParts, exchange: Exchange): Promise<void> {
  const { method, url, body } = exchange;
  const path = url.pathname;
  const route = ROUTES.find((each) => each.method === method && each.path.test(path));
  const holder = parts.grants.holder(bearer(exchange) ?? '');
  const at = parts.world.clock.iso();
  parts.conformance.request(method, url, body);
  const answer = await answerWith(
    exchange,
    parts.faults,
    () => guarded(() => work(parts, exchange, route, holder)),
    (status, reason) => ({ status, body: refusalOf(status, reason).body }),
  );
  if (answer) parts.conformance.answer(method, path, answer.status, answer.body);
  parts.calls.add({
    at,
    user: holder?.user ?? null,
    operation: route?.operation ?? null,
    method,
    path,
    status: answer?.status ?? null,
  });
}

function guarded(perform: () => object | null): Answer {
  try {
    const body = perform();
    const etag = body && 'etag' in body ? { etag: String(body.etag) } : {};
    return { status: body === null ? 204 : 200, body, headers: etag };
  } catch (problem) {
    return refused(problem);
  }
}

function refused(problem: unknown): Answer {
  if (!(problem instanceof Refusal)) {
    console.error('The stand-in for Google failed:', problem);
    return { status: 500, body: refusalOf(500).body };
  }
  const { status, reason } = problem.facts;
  if (status === 304) return { status, body: null };
  const realm = 'Bearer realm="https://accounts.google.com/"';
  const named =
    status === 401
      ? { 'www-authenticate': `${realm}, error="invalid_token"` }
      : reason === 'insufficientPermissions'
        ? { 'www-authenticate': `${realm}, error="insufficient_scope"` }
        : {};
  return { status, body: problem.body, headers: named };
}

function work(
  parts: ApiParts,
  exchange: Exchange,
  route: Route | undefined,
  holder: AccessToken | undefined,
): object | null {
  if (!holder) throw noCredentials(bearer(exchange));
  parts.traffic.count(holder.user);
  if (!route) throw notFound();
  if (!route.inScope || !holder.scopes.includes(CALENDAR_SCOPE)) throw notInScope();
  const { request, url } = exchange;
  if (url.searchParams.has('fields')) throw notCovered('partial answers (fields)');
  const groups = Object.entries(route.path.exec(url.pathname)?.groups ?? {});
  const call: Call = {
    world: parts.world,
    channels: parts.channels,
    lists: parts.lists,
    user: holder.user,
    path: Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)])),
    query: url.searchParams,
    body: readBody(exchange),
    ifMatch: header(request, 'if-match'),
    ifNoneMatch: header(request, 'if-none-match'),
  };
  return route.work(call);
}

function readBody({ body }: Exchange): Record<string, unknown> {
  if (body === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Said below.
  }
  throw new Refusal({ ...badRequest('Parse Error').facts, reason: 'parseError' });
}

function bearer({ request }: Exchange): string | null {
  return (
    /^Bearer (?<token>.+)$/.exec(header(request, 'authorization') ?? '')?.groups?.['token'] ?? null
  );
}

function noCredentials(given: string | null): Refusal {
  const expected =
    'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  return new Refusal({
    status: 401,
    message:
      given === null
        ? `Request is missing required authentication credential. ${expected}`
        : `Request had invalid authentication credentials. ${expected}`,
    detail: given === null ? 'Login Required.' : 'Invalid Credentials',
    reason: given === null ? 'required' : 'authError',
    location: 'Authorization',
    locationType: 'header',
    grpcStatus: 'UNAUTHENTICATED',
  });
}

function notInScope(): Refusal {
  return new Refusal({
    status: 403,
    message: 'Request had insufficient authentication scopes.',
    detail: 'Insufficient Permission',
    reason: 'insufficientPermissions',
    grpcStatus: 'PERMISSION_DENIED',
  });
}
