import { html, redirect } from '../shared/reply.ts';
import type { Exchange } from '../shared/server.ts';
import { renderCalendars } from './calendar-page.ts';
import { type ConsentParts, type Decision, decide, openConsent } from './consent.ts';
import { renderBlocked, renderConsent } from './consent-page.ts';
import { OauthRefusal } from './oauth-refusal.ts';
import { deleteByHand, deleteCalendarByHand, moveByHand, renameByHand } from './tutor.ts';
import type { World } from './world.ts';

export interface PageParts {
  world: World;
  consent: ConsentParts;
  /** Who is filled in where the app does not say. */
  defaultUser: string;
}

/** The pages people click through: true when the path was one of theirs. */
export function answerPage(parts: PageParts, exchange: Exchange): boolean {
  const path = exchange.url.pathname;
  if (path === '/o/oauth2/v2/auth') {
    showConsent(parts, exchange);
    return true;
  }
  const consent = /^\/o\/oauth2\/consent\/(?<id>\w+)$/.exec(path)?.groups?.['id'];
  if (consent !== undefined && exchange.method === 'POST') {
    takeDecision(parts, exchange, consent);
    return true;
  }
  const user = /^\/calendar\/(?<user>[^/]+)$/.exec(path)?.groups?.['user'];
  if (user !== undefined && user !== 'v3') {
    calendarPage(parts, exchange, decodeURIComponent(user));
    return true;
  }
  return false;
}

function showConsent({ consent, defaultUser }: PageParts, { url, reply }: Exchange): void {
  try {
    const ask = openConsent(consent, url.searchParams);
    html(reply, 200, renderConsent(ask, ask.loginHint ?? defaultUser, null));
  } catch (problem) {
    if (!(problem instanceof OauthRefusal)) throw problem;
    html(reply, problem.status, renderBlocked(problem));
  }
}

const DECISIONS: ReadonlySet<string> = new Set<Decision>([
  'allow',
  'allow-without-calendar',
  'refuse',
]);

function takeDecision({ consent }: PageParts, { reply, body }: Exchange, id: string): void {
  const ask = consent.asks.get(id);
  if (!ask) {
    const gone = new OauthRefusal(400, 'invalid_request', 'This page is no longer open.');
    return html(reply, 400, renderBlocked(gone));
  }
  const form = new URLSearchParams(body);
  const user = (form.get('user') ?? '').trim().toLowerCase();
  const decision = form.get('decision') ?? '';
  const understood = DECISIONS.has(decision) && (decision === 'refuse' || /^\S+@\S+$/.test(user));
  if (!understood) {
    return html(reply, 400, renderConsent(ask, user, 'Enter the e-mail address of an account.'));
  }
  consent.asks.delete(id);
  redirect(reply, decide(consent, ask, user, decision as Decision));
}

function calendarPage(parts: PageParts, exchange: Exchange, user: string): void {
  const { world, consent } = parts;
  const { reply, method, body } = exchange;
  let problem: string | null = null;
  if (method === 'POST') {
    try {
      act(parts, user, new URLSearchParams(body));
      return redirect(reply, `/calendar/${encodeURIComponent(user)}`);
    } catch (failure) {
      problem = failure instanceof Error ? failure.message : String(failure);
    }
  }
  const connected = consent.grants.scopesOf(user) !== null;
  const page = renderCalendars(user, world.calendarsOf(user), connected, problem);
  html(reply, problem === null ? 200 : 400, page);
}

function act({ world, consent }: PageParts, user: string, form: URLSearchParams): void {
  const text = (name: string) => form.get(name) ?? '';
  const calendarId = text('calendarId');
  const action = text('action');
  if (action === 'remove-access') return consent.grants.revoke(user);
  if (world.calendars.get(calendarId)?.owner !== user) {
    throw new Error('This calendar is somebody else’s');
  }
  const place = { calendarId, eventId: text('eventId') };
  switch (action) {
    case 'move':
      return moveByHand(world, place, { start: text('start') });
    case 'rename':
      return renameByHand(world, place, text('summary'));
    case 'delete':
      return deleteByHand(world, place);
    case 'delete-calendar':
      return deleteCalendarByHand(world, calendarId);
    default:
      throw new Error(`There is no ${action}`);
  }
}
