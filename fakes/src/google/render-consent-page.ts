import { escapeHtml } from '../shared/page-layout.ts';
import type { ConsentRequest } from './consent.ts';
import { CALENDAR_SCOPE } from './grants.ts';
import type { OauthError } from './oauth-error.ts';
import { renderGooglePage } from './page-layout.ts';

export function renderConsent(
  request: ConsentRequest,
  user: string,
  problem: string | null,
): string {
  const scopes = request.scopes.map(
    (scope) => `<li><span>${escapeHtml(describeScope(scope))}</span></li>`,
  );
  const allowWithoutCalendar = request.scopes.includes(CALENDAR_SCOPE)
    ? '<button class="second" name="decision" value="allow-without-calendar">Allow without the calendar</button>'
    : '';
  return renderGooglePage(
    'Sign in with Google',
    `<h1>Lessonbook wants access to your Google Account</h1>
<ul class="lines">${scopes.join('')}</ul>
${problem === null ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="/o/oauth2/consent/${request.id}">
<label for="user">Google Account</label>
<input id="user" name="user" type="email" autocomplete="email" required value="${escapeHtml(user)}">
<button name="decision" value="allow">Allow</button>
${allowWithoutCalendar}
<button class="second" formnovalidate name="decision" value="refuse">Cancel</button>
</form>`,
  );
}

function describeScope(scope: string): string {
  return scope === CALENDAR_SCOPE
    ? 'Create secondary Google calendars, and see, create, change and delete events on them'
    : scope.replace('https://www.googleapis.com/auth/', '');
}

export function renderBlocked(error: OauthError): string {
  return renderGooglePage(
    'Access blocked',
    `<h1>Access blocked: this app’s request is invalid</h1>
<p>${escapeHtml(error.message)}</p>
<p class="quiet">Error ${error.status}: ${escapeHtml(error.code)}</p>`,
  );
}
