import type { FreeTimes } from '@lessonbook/contract/move-requests';
import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDeferredReply, json, mockApi } from '../../test/mock-api.ts';
import {
  cancellationCost,
  freeTimes,
  portalLesson,
  portalLessons,
  portalLogin,
  portalMoveRequest,
} from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const PATH = '/api/portal/tutors/c_ada_1234567';
const LESSONS = `GET ${PATH}/lessons`;
const FREE = `GET ${PATH}/free-times`;
const ASK = `POST ${PATH}/move-requests`;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

/** Maya's lesson on Tuesday of next week. */
const mayasLesson = (fields: Parameters<typeof portalLesson>[0] = {}) =>
  portalLesson({
    date: '2026-11-24',
    startsAt: '2026-11-24T16:30:00Z',
    endsAt: '2026-11-24T17:30:00Z',
    mayAskToMove: true,
    ...fields,
  });

const MAYAS_MOVE = "Ask to move Maya's lesson on Tue 24 Nov at 4:30pm";
const MAYAS_CANCEL = 'Cancel lesson for Maya on Tue 24 Nov at 4:30pm';

function openPortal(
  page: Parameters<typeof portalLessons>[0] = {},
  free: FreeTimes = freeTimes(),
  login: Parameters<typeof portalLogin>[0] = {},
) {
  const lessons = [mayasLesson()];
  const server = mockApi({
    'GET /api/portal/login': () => json(200, portalLogin(login)),
    [LESSONS]: () => json(200, portalLessons({ lessons, ...page })),
    [FREE]: () => json(200, free),
  });
  return { ...renderPortal(), server };
}

async function openSheet(...options: Parameters<typeof openPortal>) {
  const portal = openPortal(...options);
  await portal.user.click(await screen.findByRole('button', { name: MAYAS_MOVE }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Ask to move' }));
  await sheet.findByRole('textbox');
  return { ...portal, sheet };
}

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const askButton = () =>
  within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: /^Ask / });
const secondChoice = () =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: 'Second choice (optional)' });
const sentKeys = (server: ReturnType<typeof mockApi>) =>
  server.calls
    .filter(({ name }) => name === ASK)
    .map(({ init }) => new Headers(init.headers).get('Idempotency-Key'));

test('the closest free time is preselected and highlighted', async () => {
  const { server, sheet } = await openSheet();
  expect(new URL(server.last(FREE)?.url ?? '', 'http://here').search).toBe(
    '?sessionId=1&studentId=1',
  );
  expect(sheet.getByText('Maya, Tue 24 Nov, 4:30pm')).toBeTruthy();
  expect(sheet.getByText("Maths, at Ada's")).toBeTruthy();
  expect(sheet.getByRole('group', { name: 'Ada Fenwick is free on' })).toBeTruthy();
  expect(radio('Friday 27 November').checked).toBe(true);
  const times = within(sheet.getByRole('group', { name: 'Friday 27 November' }));
  expect(times.getAllByRole('radio')).toHaveLength(3);
  expect(radio('5pm').checked).toBe(true);
  expect(sheet.getByText("5pm is closest to Maya's usual time.")).toBeTruthy();
  expect(
    sheet.getByText(
      "Maya's lesson stays as it is until Ada Fenwick answers. We'll email you the answer.",
    ),
  ).toBeTruthy();
  expect(askButton().textContent).toBe('Ask for Fri 27 Nov, 5pm');
});

test("choosing another day preselects the time closest to the lesson's", async () => {
  const { user, sheet } = await openSheet();
  await user.click(radio('Monday 23 November'));
  expect(askButton().textContent).toBe('Ask for Mon 23 Nov, 7pm');
  expect(sheet.queryByText(/is closest to/)).toBeNull();
  await user.click(radio('9am'));
  expect(askButton().textContent).toBe('Ask for Mon 23 Nov, 9am');
});

test('sends both choices and the message, refetches the list and shows a confirmation', async () => {
  const { user, server, sheet } = await openSheet();
  expect([...secondChoice().options].map(({ text }) => text)).not.toContain('Fri 27 Nov, 5pm');
  await user.selectOptions(secondChoice(), 'Sat 28 Nov, 12:30pm');
  await user.type(sheet.getByRole('textbox', { name: 'Message (optional)' }), ' School trip ');
  const { handler, reply } = createDeferredReply();
  server.handlers[ASK] = handler;
  await user.click(askButton());
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Sending...' });
  expect(busy.disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
  const lessonWithRequest = mayasLesson({
    mayAskToMove: false,
    moveRequest: portalMoveRequest(),
  });
  server.handlers[LESSONS] = () => json(200, portalLessons({ lessons: [lessonWithRequest] }));
  await act(async () => reply(json(201, { id: 5 })));
  expect(
    await screen.findByText('Sent. The lesson stays as it is until Ada Fenwick answers.'),
  ).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('button', { name: MAYAS_MOVE })).toBeNull();
  expect(server.last(ASK)?.body).toEqual({
    sessionId: 1,
    studentId: 1,
    choices: [
      { date: '2026-11-27', startTime: '17:00' },
      { date: '2026-11-28', startTime: '12:30' },
    ],
    message: 'School trip',
  });
});

test('the second choice is removed by its button, or if it becomes the first', async () => {
  const { user } = await openSheet();
  await user.selectOptions(secondChoice(), 'Sat 28 Nov, 12:30pm');
  await user.click(screen.getByRole('button', { name: 'Remove the second choice' }));
  expect(secondChoice().value).toBe('');
  await user.selectOptions(secondChoice(), 'Sat 28 Nov, 12:30pm');
  await user.click(radio('Saturday 28 November'));
  expect(secondChoice().value).toBe('');
  expect(askButton().textContent).toBe('Ask for Sat 28 Nov, 12:30pm');
});

test('if none of the times suit, the person has to say which would', async () => {
  const { user, server, sheet } = await openSheet();
  server.handlers[ASK] = () => json(201, { id: 5 });
  await user.click(sheet.getByRole('checkbox', { name: 'None of these times suit me' }));
  expect(sheet.queryByRole('radio')).toBeNull();
  await user.click(askButton());
  expect(sheet.getByRole('alert').textContent).toBe('Please say which times would suit you.');
  expect(server.count(ASK)).toBe(0);
  await user.type(
    sheet.getByRole('textbox', { name: 'Which times would suit you?' }),
    'Any evening',
  );
  expect(askButton().textContent).toBe('Ask Ada Fenwick');
  await user.click(askButton());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(ASK)?.body).toMatchObject({ choices: [], message: 'Any evening' });
});

test('a person who signed in with a phone number is not promised an email', async () => {
  const { sheet } = await openSheet({}, freeTimes(), { address: '+447700900123' });
  expect(sheet.getByText("Maya's lesson stays as it is until Ada Fenwick answers.")).toBeTruthy();
});

test('without free times, the person writes which times would suit them', async () => {
  const { user, server, sheet } = await openSheet({}, { days: [], closest: null });
  expect(sheet.getByText(/^Ada Fenwick has no free times to choose from/)).toBeTruthy();
  expect(sheet.queryByRole('checkbox')).toBeNull();
  await user.type(sheet.getByRole('textbox', { name: 'Which times would suit you?' }), 'Mornings');
  server.handlers[ASK] = () => json(201, { id: 5 });
  await user.click(askButton());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(ASK)?.body).toMatchObject({ choices: [], message: 'Mornings' });
});

test('a person in another time zone sees both times', async () => {
  const { sheet } = await openSheet({ timeZone: 'Asia/Tokyo' });
  expect(sheet.getByText('London time (1:30am on Wed 25 Nov, your time)')).toBeTruthy();
  expect(radio('5pm London time (2am on Sat 28 Nov, your time)').checked).toBe(true);
  expect(askButton().textContent).toBe(
    'Ask for Fri 27 Nov, 5pm London time (2am on Sat 28 Nov, your time)',
  );
});

test('if the time has been booked in the meantime, the error is shown inline and the free times are refetched', async () => {
  const { user, server, sheet } = await openSheet();
  await user.type(sheet.getByRole('textbox'), 'Please!');
  server.handlers[ASK] = () =>
    json(409, { code: 'conflict', message: 'This time was just taken.' });
  const remainingTimes = freeTimes({
    days: [{ date: '2026-11-28', startTimes: ['12:30'] }],
    closest: { date: '2026-11-28', startTime: '12:30' },
  });
  server.handlers[FREE] = () => json(200, remainingTimes);
  await user.click(askButton());
  expect((await sheet.findByRole('alert')).textContent).toBe('This time was just taken.');
  await vi.waitFor(() => expect(askButton().textContent).toBe('Ask for Sat 28 Nov, 12:30pm'));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Please!');
  server.handlers[ASK] = () => json(201, { id: 5 });
  await user.click(askButton());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(ASK)?.body).toMatchObject({
    choices: [{ date: '2026-11-28', startTime: '12:30' }],
    message: 'Please!',
  });
  const [first, second] = sentKeys(server);
  expect(second).not.toBe(first);
});

test('after a network error, the next attempt uses the same idempotency key', async () => {
  const { user, server, sheet } = await openSheet();
  await user.click(askButton());
  expect((await sheet.findByRole('alert')).textContent).toBe(
    "We couldn't send your request. Please try again.",
  );
  server.handlers[ASK] = () => json(201, { id: 5 });
  await user.click(askButton());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [first, second] = sentKeys(server);
  expect(first).toBeTruthy();
  expect(second).toBe(first);
});

test('the sheet closes if the lesson no longer exists', async () => {
  const { user, server } = await openSheet();
  server.handlers[LESSONS] = () => json(200, portalLessons({ lessons: [] }));
  server.handlers[ASK] = () =>
    json(404, { code: 'not_found', message: 'This lesson was cancelled.' });
  await user.click(askButton());
  expect(await screen.findByText('This lesson was cancelled.')).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('loading the free times can be retried after an error', async () => {
  const portal = openPortal();
  portal.server.handlers[FREE] = () => json(500, { message: 'No' });
  await portal.user.click(await screen.findByRole('button', { name: MAYAS_MOVE }));
  const sheet = within(await screen.findByRole('dialog'));
  const retry = await sheet.findByRole('button', { name: 'Try again' });
  expect(askButton().disabled).toBe(true);
  portal.server.handlers[FREE] = () => json(200, freeTimes());
  await portal.user.click(retry);
  await vi.waitFor(() => expect(askButton().textContent).toBe('Ask for Fri 27 Nov, 5pm'));
});

test('Back closes the sheet, and the typed message is still there when the sheet is opened again', async () => {
  const { user, server, sheet, pathname } = await openSheet();
  await user.type(sheet.getByRole('textbox'), 'School trip');
  act(() => window.history.back());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(pathname()).toBe('/family');
  await user.click(screen.getByRole('button', { name: MAYAS_MOVE }));
  const again = await screen.findByRole<HTMLTextAreaElement>('textbox');
  expect(again.value).toBe('School trip');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.count(ASK)).toBe(0);
});

test('the cancellation sheet offers asking to move instead, and the message is carried over', async () => {
  const lesson = mayasLesson({ cancellation: cancellationCost() });
  const { user } = openPortal({ lessons: [lesson] });
  await user.click(await screen.findByRole('button', { name: MAYAS_CANCEL }));
  // The title receives focus after the sheet is shown, and that would interrupt the typing.
  const title = await screen.findByRole('heading', { name: "Cancel Maya's lesson?" });
  await vi.waitFor(() => expect(document.activeElement).toBe(title));
  await user.type(screen.getByRole('textbox'), 'School trip');
  await user.click(screen.getByRole('button', { name: 'Ask Ada Fenwick to move it' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Ask to move' }));
  expect((await sheet.findByRole<HTMLTextAreaElement>('textbox')).value).toBe('School trip');
});

test('the cancellation sheet does not offer a move for a lesson that cannot be moved', async () => {
  const lesson = mayasLesson({ cancellation: cancellationCost(), mayAskToMove: false });
  const { user } = openPortal({ lessons: [lesson] });
  await user.click(await screen.findByRole('button', { name: MAYAS_CANCEL }));
  await screen.findByRole('dialog');
  expect(screen.queryByText(/Prefer another time/)).toBeNull();
  expect(screen.queryByRole('button', { name: MAYAS_MOVE })).toBeNull();
});
