import { escapeHtml } from '../shared/page-layout.ts';
import type { EventTime } from './event-time.ts';
import { renderGooglePage } from './page-layout.ts';
import type { StoredCalendar, StoredEvent } from './state.ts';
import { formatLocalTime } from './time-zones.ts';

/** The user's Google Calendar page, limited to the calendars created by the app. */
export function renderCalendars(
  user: string,
  calendars: readonly StoredCalendar[],
  connected: boolean,
  problem: string | null,
): string {
  const active = calendars.filter(({ deleted }) => !deleted);
  const access = connected
    ? renderForm(
        user,
        {},
        '<button class="second" name="action" value="remove-access">Remove access</button>',
      )
    : '<p class="quiet">No app has access.</p>';
  return renderGooglePage(
    'Calendar',
    `<h1>Calendar</h1>
<p class="quiet">${escapeHtml(user)}</p>
${problem === null ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
${active.map((calendar) => renderCalendar(user, calendar)).join('\n') || '<p>No calendars yet.</p>'}
<h2>Apps with access</h2>
${access}`,
  );
}

function renderCalendar(user: string, calendar: StoredCalendar): string {
  const events = [...calendar.events.values()]
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((a, b) => formatEventTime(a.start).localeCompare(formatEventTime(b.start)));
  const items = events.map((event) => renderEvent(user, calendar, event)).join('\n');
  return `<section aria-label="${escapeHtml(calendar.summary)}" data-calendar="${calendar.id}">
<h2>${escapeHtml(calendar.summary)}</h2>
${items || '<p class="quiet">No events.</p>'}
${renderForm(user, { calendarId: calendar.id }, '<button class="second" name="action" value="delete-calendar">Delete calendar</button>')}
</section>`;
}

function renderEvent(user: string, calendar: StoredCalendar, event: StoredEvent): string {
  const title = asText(event.details['summary']) || '(No title)';
  const ref = { calendarId: calendar.id, eventId: event.id };
  const zone = event.start.kind === 'time' ? event.start.timeZone : calendar.timeZone;
  const notes = asText(event.details['description']);
  const location = asText(event.details['location']);
  return `<article id="${event.id}" aria-label="${escapeHtml(title)}">
<h3>${escapeHtml(title)}</h3>
<p><time>${formatEventTime(event.start)}</time> to <time>${formatEventTime(event.end)}</time> <span class="quiet">${escapeHtml(zone)}</span></p>
${event.conference?.code ? `<p>Google Meet: ${event.conference.code}</p>` : ''}
${location === '' ? '' : `<p>${escapeHtml(location)}</p>`}
${notes === '' ? '' : `<p class="quiet">${escapeHtml(notes)}</p>`}
<details><summary>Change</summary>
${renderForm(
  user,
  ref,
  `<label for="start-${event.id}">New start</label>
<input id="start-${event.id}" name="start" type="${event.start.kind === 'time' ? 'datetime-local' : 'date'}" required value="${formatEventTime(event.start).replace(' ', 'T')}">
<button name="action" value="move">Move</button>`,
)}
${renderForm(
  user,
  ref,
  `<label for="summary-${event.id}">New title</label>
<input id="summary-${event.id}" name="summary" required value="${escapeHtml(title)}">
<button class="second" name="action" value="rename">Rename</button>`,
)}
${renderForm(user, ref, '<button class="second" name="action" value="delete">Delete</button>')}
</details>
</article>`;
}

function renderForm(user: string, hidden: Record<string, string>, content: string): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="/calendar/${encodeURIComponent(user)}">
${fields.join('')}${content}
</form>`;
}

/** Local time in the event's time zone. */
function formatEventTime(time: EventTime): string {
  if (time.kind === 'day') return time.date;
  return formatLocalTime(time.instant, time.timeZone).slice(0, 16).replace('T', ' ');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
