import { sendHtml, sendRedirect } from '../shared/http-request-and-reply.ts';
import type { HttpExchange } from '../shared/server.ts';
import {
  applyDecision,
  type ConsentContext,
  type Decision,
  parseConsentRequest,
} from './consent.ts';
import { OauthError } from './oauth-error.ts';
import { renderCalendars } from './render-calendar-page.ts';
import { renderBlocked, renderConsent } from './render-consent-page.ts';
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
  /** The user pre-filled if the app sends no `login_hint`. */
  defaultUser: string;
}

/** Serves the HTML pages; returns false for other paths. */
export function handlePage(context: PageContext, exchange: HttpExchange): boolean {
  const path = exchange.url.pathname;
  if (path === '/o/oauth2/v2/auth') {
    showConsent(context, exchange);
    return true;
  }
  const consent = /^\/o\/oauth2\/consent\/(?<id>\w+)$/.exec(path)?.groups?.['id'];
  if (consent !== undefined && exchange.method === 'POST') {
    submitDecision(context, exchange, consent);
    return true;
  }
  const user = /^\/calendar\/(?<user>[^/]+)$/.exec(path)?.groups?.['user'];
  if (user !== undefined && user !== 'v3') {
    handleCalendarPage(context, exchange, decodeURIComponent(user));
    return true;
  }
  return false;
}

function showConsent({ consent, defaultUser }: PageContext, { url, reply }: HttpExchange): void {
  try {
    const request = parseConsentRequest(consent, url.searchParams);
    sendHtml(reply, 200, renderConsent(request, request.loginHint ?? defaultUser, null));
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    sendHtml(reply, error.status, renderBlocked(error));
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
    const error = new OauthError(
      400,
      'invalid_request',
      'This consent request has expired or has already been answered.',
    );
    return sendHtml(reply, 400, renderBlocked(error));
  }
  const form = new URLSearchParams(body);
  const user = (form.get('user') ?? '').trim().toLowerCase();
  const decision = form.get('decision') ?? '';
  const isValid = DECISIONS.has(decision) && (decision === 'refuse' || /^\S+@\S+$/.test(user));
  if (!isValid) {
    return sendHtml(
      reply,
      400,
      renderConsent(request, user, 'Enter the email address of an account.'),
    );
  }
  consent.requests.delete(id);
  sendRedirect(reply, applyDecision(consent, request, user, decision as Decision));
}

function handleCalendarPage(context: PageContext, exchange: HttpExchange, user: string): void {
  const { state, consent } = context;
  const { reply, method, body } = exchange;
  let problem: string | null = null;
  if (method === 'POST') {
    try {
      applyUserAction(context, user, new URLSearchParams(body));
      return sendRedirect(reply, `/calendar/${encodeURIComponent(user)}`);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  const isConnected = consent.grants.scopesOf(user) !== null;
  const page = renderCalendars(user, state.calendarsOf(user), isConnected, problem);
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
    throw new Error('This calendar belongs to another user');
  }
  const ref = { calendarId, eventId: text('eventId') };
  switch (action) {
    case 'move':
      return moveEventAsUser(state, ref, { start: text('start') });
    case 'rename':
      return renameEventAsUser(state, ref, text('summary'));
    case 'delete':
      return deleteEventAsUser(state, ref);
    case 'delete-calendar':
      return deleteCalendarAsUser(state, calendarId);
    default:
      throw new Error(`Unknown action ${action}`);
  }
}
