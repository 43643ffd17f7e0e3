import { sendHtml, sendRedirect } from '../shared/http-reply.ts';
import type { HttpExchange } from '../shared/server.ts';
import { renderCalendars } from './calendar-page.ts';
import {
  applyDecision,
  type ConsentContext,
  type Decision,
  parseConsentRequest,
} from './consent.ts';
import { renderBlocked, renderConsent } from './consent-page.ts';
import { OauthError } from './oauth-error.ts';
import type { GoogleState } from './state.ts';
import {
  deleteCalendarAsUser,
  deleteEventAsUser,
  moveEventAsUser,
  renameEventAsUser,
} from './user-actions.ts';

export interface PageContext {
  state: GoogleState;
  consent: ConsentContext;
  /** Who is filled in where the app does not say. */
  defaultUser: string;
}

/** The pages people click through: true when the path was one of theirs. */
export function handlePage(parts: PageContext, exchange: HttpExchange): boolean {
  const path = exchange.url.pathname;
  if (path === '/o/oauth2/v2/auth') {
    showConsent(parts, exchange);
    return true;
  }
  const consent = /^\/o\/oauth2\/consent\/(?<id>\w+)$/.exec(path)?.groups?.['id'];
  if (consent !== undefined && exchange.method === 'POST') {
    submitDecision(parts, exchange, consent);
    return true;
  }
  const user = /^\/calendar\/(?<user>[^/]+)$/.exec(path)?.groups?.['user'];
  if (user !== undefined && user !== 'v3') {
    calendarPage(parts, exchange, decodeURIComponent(user));
    return true;
  }
  return false;
}

function showConsent({ consent, defaultUser }: PageContext, { url, reply }: HttpExchange): void {
  try {
    const request = parseConsentRequest(consent, url.searchParams);
    sendHtml(reply, 200, renderConsent(request, request.loginHint ?? defaultUser, null));
  } catch (problem) {
    if (!(problem instanceof OauthError)) throw problem;
    sendHtml(reply, problem.status, renderBlocked(problem));
  }
}

const DECISIONS: ReadonlySet<string> = new Set<Decision>([
  'allow',
  'allow-without-calendar',
  'refuse',
]);

function submitDecision({ consent }: PageContext, { reply, body }: HttpExchange, id: string): void {
  const request = consent.requests.get(id);
  if (!request) {
    const gone = new OauthError(400, 'invalid_request', 'This page is no longer open.');
    return sendHtml(reply, 400, renderBlocked(gone));
  }
  const form = new URLSearchParams(body);
  const user = (form.get('user') ?? '').trim().toLowerCase();
  const decision = form.get('decision') ?? '';
  const understood = DECISIONS.has(decision) && (decision === 'refuse' || /^\S+@\S+$/.test(user));
  if (!understood) {
    return sendHtml(
      reply,
      400,
      renderConsent(request, user, 'Enter the e-mail address of an account.'),
    );
  }
  consent.requests.delete(id);
  sendRedirect(reply, applyDecision(consent, request, user, decision as Decision));
}

function calendarPage(parts: PageContext, exchange: HttpExchange, user: string): void {
  const { state, consent } = parts;
  const { reply, method, body } = exchange;
  let problem: string | null = null;
  if (method === 'POST') {
    try {
      applyUserAction(parts, user, new URLSearchParams(body));
      return sendRedirect(reply, `/calendar/${encodeURIComponent(user)}`);
    } catch (failure) {
      problem = failure instanceof Error ? failure.message : String(failure);
    }
  }
  const connected = consent.grants.scopesOf(user) !== null;
  const page = renderCalendars(user, state.calendarsOf(user), connected, problem);
  sendHtml(reply, problem === null ? 200 : 400, page);
}

function applyUserAction(
  { state, consent }: PageContext,
  user: string,
  form: URLSearchParams,
): void {
  const text = (name: string) => form.get(name) ?? '';
  const calendarId = text('calendarId');
  const action = text('action');
  if (action === 'remove-access') return consent.grants.revoke(user);
  if (state.calendars.get(calendarId)?.owner !== user) {
    throw new Error('This calendar is somebody else’s');
  }
  const place = { calendarId, eventId: text('eventId') };
  switch (action) {
    case 'move':
      return moveEventAsUser(state, place, { start: text('start') });
    case 'rename':
      return renameEventAsUser(state, place, text('summary'));
    case 'delete':
      return deleteEventAsUser(state, place);
    case 'delete-calendar':
      return deleteCalendarAsUser(state, calendarId);
    default:
      throw new Error(`There is no ${action}`);
  }
}
