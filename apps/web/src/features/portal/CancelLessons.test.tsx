import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDeferredReply, json, mockApi } from '../../test/mock-api.ts';
import {
  cancellationCost,
  portalLesson,
  portalLessons,
  portalLogin,
} from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const LESSONS = 'GET /api/portal/tutors/c_ada_1234567/lessons';
const CANCEL = 'POST /api/portal/tutors/c_ada_1234567/cancellations';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

type Cost = Parameters<typeof cancellationCost>[0];

/** Leo's lesson on Wednesday. */
const leosLesson = (cost: Cost = {}, fields: Parameters<typeof portalLesson>[0] = {}) =>
  portalLesson({
    sessionId: 2,
    studentId: 2,
    studentName: 'Leo',
    subjectName: '11+ prep',
    date: '2026-11-18',
    startTime: '16:00',
    endTime: '17:00',
    startsAt: '2026-11-18T16:00:00Z',
    endsAt: '2026-11-18T17:00:00Z',
    place: 'At home',
    cancellation: cancellationCost(cost),
    ...fields,
  });

const always = { fee: 0, freeUntil: null, increase: null, freeCancellationsLeft: 0 };

function openPortal(page: Parameters<typeof portalLessons>[0]) {
  const server = mockApi({
    'GET /api/portal/login': () => json(200, portalLogin()),
    [LESSONS]: () => json(200, portalLessons(page)),
  });
  const show = (next: typeof page) => {
    server.handlers[LESSONS] = () => json(200, portalLessons(next));
  };
  return { ...renderPortal(), server, show };
}

const LEOS_CANCEL = 'Cancel lesson for Leo on Wed 18 Nov at 4pm';

async function openSheet(page: Parameters<typeof portalLessons>[0]) {
  const portal = openPortal(page);
  await portal.user.click(await screen.findByRole('button', { name: LEOS_CANCEL }));
  return { ...portal, sheet: within(await screen.findByRole('dialog')) };
}

const headline = () => screen.getByRole('dialog').querySelector('[role=status] b')?.textContent;
const confirmButton = () =>
  within(screen.getByRole('dialog')).getByRole('button', { name: /^Cancel .*lessons? \(/ });
const checkbox = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

const sentKeys = (server: ReturnType<typeof mockApi>) =>
  server.calls
    .filter(({ name }) => name === CANCEL)
    .map(({ init }) => new Headers(init.headers).get('Idempotency-Key'));

test.each<[Cost, string | null]>([
  [{ fee: 0, freeUntil: '2026-11-17T16:00:00Z' }, 'Free to cancel until 4pm today'],
  [{ fee: 0, freeUntil: '2026-11-18T09:30:00Z' }, 'Free to cancel until 9:30am tomorrow'],
  [{ fee: 0, freeUntil: '2026-11-23T16:00:00Z' }, 'Free to cancel until Mon 4pm'],
  [{ fee: 0, freeUntil: '2026-11-24T16:00:00Z' }, 'Free to cancel until Tue 24 Nov, 4pm'],
  [{ freeCancellationsLeft: 0 }, 'Cancelling now costs £17.50'],
  [{}, 'Cancelling now costs £17.50, or use your free late cancellation (1 left this term)'],
  [
    { freeCancellationsLeft: 2, currency: 'EUR', fee: 2000 },
    'Cancelling now costs €20, or use one of your free late cancellations (2 left this term)',
  ],
  [always, null],
])('the row says what cancelling costs: %o', async (cost, text) => {
  openPortal({ lessons: [leosLesson(cost)] });
  expect(await screen.findByRole('button', { name: LEOS_CANCEL })).toBeTruthy();
  const row = screen.getByRole('listitem').textContent;
  expect(row).toBe(`4pm to 5pmLeo11+ prep, at home£38${text ?? ''}Cancel lesson`);
});

test("a deadline names the tutor's city if the person is in another time zone", async () => {
  const lesson = leosLesson({ fee: 0, freeUntil: '2026-11-17T16:00:00Z' });
  openPortal({ timeZone: 'Asia/Tokyo', lessons: [lesson] });
  expect(await screen.findByText('Free to cancel until 4pm London time today')).toBeTruthy();
});

test('a person who does not pay sees why they cannot cancel, and no button', async () => {
  openPortal({ lessons: [leosLesson({ isAllowed: false })] });
  expect(
    await screen.findByText(
      "There's now a fee for cancelling, so only the person who pays can cancel.",
    ),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull();
});

test('lessons that may not be cancelled have no button', async () => {
  openPortal({});
  await screen.findByText('Maya');
  expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull();
});

test('the free late cancellation is the default, and the headline and the button show the same amount', async () => {
  const { user, sheet } = await openSheet({ lessons: [leosLesson()] });
  expect(screen.getByRole('dialog', { name: "Cancel Leo's lesson?" })).toBeTruthy();
  expect(sheet.getByText(/^Tomorrow, Wed 18 Nov, 4pm to 5pm/).textContent).toContain(
    '11+ prep, at home',
  );
  expect(headline()).toBe('£0 with your free late cancellation');
  expect(sheet.getByText('Without it, cancelling costs £17.50.')).toBeTruthy();
  expect(confirmButton().textContent).toBe('Cancel lesson (£0)');
  await user.click(checkbox('Use a free late cancellation'));
  expect(headline()).toBe('£17.50 if you cancel now');
  expect(confirmButton().textContent).toBe('Cancel lesson (£17.50)');
  expect(sheet.getByText('From 4am tomorrow, the cost goes up to £35.')).toBeTruthy();
});

test('illness does not use the free late cancellation', async () => {
  const { user, server, sheet } = await openSheet({ lessons: [leosLesson()] });
  expect(sheet.getByText('Ada Fenwick may decide not to charge.')).toBeTruthy();
  await user.click(checkbox('Leo is ill'));
  const free = checkbox('Use a free late cancellation');
  expect(free.checked).toBe(false);
  expect(free.matches(':disabled, fieldset[disabled] *')).toBe(true);
  expect(confirmButton().textContent).toBe('Cancel lesson (£17.50)');
  server.handlers[CANCEL] = () => json(200, { cancelled: 1 });
  await user.click(confirmButton());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(CANCEL)?.body).toEqual({
    lessons: [{ sessionId: 2, studentId: 2, fee: 1750, usesFreeCancellation: false }],
    isIllness: true,
    message: null,
  });
});

test("the tutor's own note about illness replaces the default text", async () => {
  const illnessNote = "If you're ill, we can meet online.";
  const { sheet } = await openSheet({ illnessNote, lessons: [leosLesson()] });
  expect(sheet.getByText(illnessNote)).toBeTruthy();
  expect(sheet.queryByText(/may decide/)).toBeNull();
});

test('a free cancellation says when a fee will apply, and does not ask about illness', async () => {
  const increase = { at: '2026-11-17T16:00:00Z', fee: 1750 };
  const { sheet } = await openSheet({
    lessons: [leosLesson({ fee: 0, freeUntil: increase.at, increase })],
  });
  expect(headline()).toBe('Free if you cancel now');
  expect(confirmButton().textContent).toBe('Cancel lesson (free)');
  expect(sheet.getByText('From 4pm today, cancelling costs £17.50.')).toBeTruthy();
  expect(sheet.queryByRole('checkbox')).toBeNull();
});

test('cancelling sends the agreed fee and the message, refetches the list and shows a confirmation', async () => {
  const { user, server, show } = await openSheet({ lessons: [leosLesson()] });
  await user.type(
    screen.getByRole('textbox', { name: 'Message to Ada Fenwick (optional)' }),
    ' School concert ',
  );
  const { handler, reply } = createDeferredReply();
  server.handlers[CANCEL] = handler;
  await user.click(confirmButton());
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Cancelling...' });
  expect(busy.disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Keep lesson' }).disabled).toBe(
    true,
  );
  show({ lessons: [leosLesson({}, { state: 'cancelled', cancellation: null })] });
  await act(async () => reply(json(200, { cancelled: 1 })));
  expect(await screen.findByText('Cancelled. Ada Fenwick has been notified.')).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('listitem').textContent).toContain('Cancelled');
  expect(server.last(CANCEL)?.body).toEqual({
    lessons: [{ sessionId: 2, studentId: 2, fee: 0, usesFreeCancellation: true }],
    isIllness: false,
    message: 'School concert',
  });
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Next lessons' }));
});

test('if the cost has changed, the sheet asks again and keeps what was entered', async () => {
  const { user, server, show } = await openSheet({
    lessons: [leosLesson({ fee: 0, freeUntil: '2026-11-17T16:00:00Z', freeCancellationsLeft: 0 })],
  });
  await user.type(screen.getByRole('textbox'), 'Sorry!');
  show({ lessons: [leosLesson({ freeCancellationsLeft: 0 })] });
  server.handlers[CANCEL] = () => json(409, { code: 'fee_changed', message: 'Changed' });
  await user.click(confirmButton());
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The cost has changed. Please check it and confirm again.',
  );
  expect(headline()).toBe('£17.50 if you cancel now');
  expect(confirmButton().textContent).toBe('Cancel lesson (£17.50)');
  server.handlers[CANCEL] = () => json(200, { cancelled: 1 });
  await user.click(confirmButton());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(CANCEL)?.body).toMatchObject({
    lessons: [{ fee: 1750, usesFreeCancellation: false }],
    message: 'Sorry!',
  });
  const [first, second] = sentKeys(server);
  expect(first).toBeTruthy();
  expect(second).not.toBe(first);
});

test('the sum in the sheet stays the same when the list is refetched', async () => {
  const { show } = await openSheet({ lessons: [leosLesson({ freeCancellationsLeft: 0 })] });
  show({ lessons: [leosLesson({ freeCancellationsLeft: 0, fee: 3500 })] });
  await act(async () => void window.dispatchEvent(new Event('visibilitychange')));
  expect(await screen.findByText('Cancelling now costs £35')).toBeTruthy();
  expect(confirmButton().textContent).toBe('Cancel lesson (£17.50)');
});

test('if the cost has changed and the person may no longer cancel, the sheet closes', async () => {
  const { user, server, show } = await openSheet({ lessons: [leosLesson({ fee: 0 })] });
  show({ lessons: [leosLesson({ isAllowed: false })] });
  server.handlers[CANCEL] = () => json(409, { code: 'fee_changed', message: 'Changed' });
  await user.click(confirmButton());
  expect(await screen.findByText('The lesson has changed. Please check the list.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  [404, 'not_found'],
  [409, 'conflict'],
])('the sheet closes if the lesson was changed elsewhere: status %i', async (status, code) => {
  const { user, server, show } = await openSheet({ lessons: [leosLesson()] });
  show({ lessons: [leosLesson({}, { state: 'cancelled', cancellation: null })] });
  server.handlers[CANCEL] = () => json(status, { code, message: 'This lesson was cancelled.' });
  await user.click(confirmButton());
  expect(await screen.findByText('This lesson was cancelled.')).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('button', { name: LEOS_CANCEL })).toBeNull();
});

test('after a network error, the sheet keeps what was entered, and the next attempt uses the same key', async () => {
  const { user, server } = await openSheet({ lessons: [leosLesson()] });
  await user.type(screen.getByRole('textbox'), 'Sorry!');
  await user.click(confirmButton());
  expect((await screen.findByRole('alert')).textContent).toBe(
    "We couldn't cancel this. Please try again.",
  );
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Sorry!');
  server.handlers[CANCEL] = () => json(200, { cancelled: 1 });
  await user.click(confirmButton());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [first, second] = sentKeys(server);
  expect(first).toBeTruthy();
  expect(second).toBe(first);
});

test('Keep lesson and browser Back close the sheet, and nothing is sent', async () => {
  const { user, server, pathname } = await openSheet({ lessons: [leosLesson()] });
  await user.click(screen.getByRole('button', { name: 'Keep lesson' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await vi.waitFor(() => expect(window.history.state).toBeNull());
  await user.click(screen.getByRole('button', { name: LEOS_CANCEL }));
  expect(await screen.findByRole('dialog')).toBeTruthy();
  act(() => window.history.back());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(pathname()).toBe('/family');
  expect(server.count(CANCEL)).toBe(0);
});

test('the costs are refetched when the next deadline has passed', async () => {
  const increase = { at: '2026-11-17T12:10:00Z', fee: 1750 };
  const { show } = openPortal({
    lessons: [leosLesson({ fee: 0, freeUntil: increase.at, increase })],
  });
  expect(await screen.findByText('Free to cancel until 12:10pm today')).toBeTruthy();
  show({ lessons: [leosLesson({ freeCancellationsLeft: 0 })] });
  await act(() => vi.advanceTimersByTimeAsync(10 * 60_000));
  expect(await screen.findByText('Cancelling now costs £17.50')).toBeTruthy();
});
