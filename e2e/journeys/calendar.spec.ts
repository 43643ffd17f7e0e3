import { test } from '../fixtures.ts';
import { walkThroughCalendar } from './calendar.ts';
import { mouse } from './input-driver.ts';

test('calendar: connects, syncs, accepts and rejects changes made in Google, and disconnects [SET-08, SET-10..13, SET-15, SET-25, SET-29, API-37, ERR-28, ERR-29, TOAST-12]', ({
  page,
  api,
  tutor,
  consoleGuard,
}) => walkThroughCalendar({ page, input: mouse(page), api, tutor, consoleGuard }));
