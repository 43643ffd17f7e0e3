import type { PortalHomework, PortalNotes } from '@lessonbook/contract/portal-notes';
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { adaAsTutor, portalLessons, portalLogin } from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const PATH = '/family/c_ada_1234567/notes';
const NOTES = 'GET /api/portal/tutors/c_ada_1234567/notes';
const MARK = 'PUT /api/portal/tutors/c_ada_1234567/homework';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

const homework = (fields: Partial<PortalHomework> = {}): PortalHomework => ({
  sessionId: 3,
  studentId: 1,
  text: 'Exercise 9B',
  dueOn: '2026-11-24',
  date: '2026-11-10',
  subjectName: 'Maths GCSE',
  done: null,
  ...fields,
});

const note = {
  sessionId: 3,
  studentId: 1,
  date: '2026-11-10',
  subjectName: 'Maths GCSE',
  did: 'Rearranging formulae went well.',
  nextTime: 'simultaneous equations.',
};

const page = (fields: Partial<PortalNotes> = {}): PortalNotes => ({
  tutorName: 'Ada Fenwick',
  today: '2026-11-17',
  students: [{ id: 1, name: 'Maya' }],
  homework: [homework()],
  notes: [note],
  hasMore: false,
  ...fields,
});

function openNotes(
  reply: PortalNotes | ((query: URLSearchParams) => PortalNotes) = page(),
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/portal/login': () => json(200, portalLogin()),
    [NOTES]: ({ url }) =>
      json(
        200,
        typeof reply === 'function' ? reply(new URLSearchParams(url.split('?')[1])) : reply,
      ),
    ...handlers,
  });
  return { ...renderPortal(PATH), server };
}

test('shows homework and what the tutor wrote, without segments for one child', async () => {
  openNotes(
    page({
      homework: [
        homework({ sessionId: 1, text: 'Mock paper', dueOn: '2026-11-17' }),
        homework(),
        homework({ sessionId: 2, text: 'Worksheet', dueOn: null }),
        homework({ sessionId: 4, text: 'Poem', done: { on: '2026-11-09', by: 'student' } }),
        homework({ sessionId: 5, text: 'Essay', done: { on: '2026-11-16', by: 'family' } }),
      ],
    }),
  );
  expect(await screen.findByRole('heading', { name: 'Homework' })).toBeTruthy();
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items).toEqual([
    'Mock paperFor today',
    'Exercise 9BFor Tue 24 Nov',
    'WorksheetSet Tue 10 Nov',
    'PoemDone by Maya, Mon 9 Nov',
    'EssayDone, yesterday',
  ]);
  const section = screen.getByRole('heading', { name: 'From Ada' }).closest('section');
  expect(within(section as HTMLElement).getByRole('article').textContent).toBe(
    'Tue 10 Nov, Maths GCSERearranging formulae went well.Next time: simultaneous equations.',
  );
  expect(screen.queryByRole('radio')).toBeNull();
});

test('a tick on homework shows at once and can be undone; if saving fails, it is removed', async () => {
  let done: PortalHomework['done'] = null;
  const { server } = openNotes(() => page({ homework: [homework({ done })] }), {
    [MARK]: ({ body }) => {
      done = (body as { isDone: boolean }).isDone ? { on: '2026-11-17', by: 'you' } : null;
      return json(200, {});
    },
  });
  const box = await screen.findByRole('checkbox', { name: /Exercise 9B/ });
  fireEvent.click(box);
  expect(await screen.findByText('Done by you, today')).toBeTruthy();
  await vi.waitFor(() =>
    expect(server.last(MARK)?.body).toEqual({ sessionId: 3, studentId: 1, isDone: true }),
  );
  fireEvent.click(box);
  expect(await screen.findByText('For Tue 24 Nov')).toBeTruthy();
  await vi.waitFor(() => expect(server.count(MARK)).toBe(2));
  server.handlers[MARK] = () => json(500, {});
  fireEvent.click(box);
  expect(await screen.findByText("We couldn't save that. Please try again.")).toBeTruthy();
  await vi.waitFor(() => expect((box as HTMLInputElement).checked).toBe(false));
});

test("each child has a segment, and choosing one loads that child's notes", async () => {
  const students = [
    { id: 1, name: 'Maya' },
    { id: 2, name: 'Leo' },
  ];
  openNotes((query) =>
    query.get('studentId') === '2'
      ? page({ students, homework: [], notes: [{ ...note, studentId: 2, did: 'Scales' }] })
      : page({ students }),
  );
  expect(await screen.findByText('Rearranging formulae went well.')).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Leo' }));
  expect(await screen.findByText('Scales')).toBeTruthy();
  expect(screen.queryByText('Rearranging formulae went well.')).toBeNull();
});

test('opens with the child of the latest note', async () => {
  const students = [
    { id: 2, name: 'Leo' },
    { id: 1, name: 'Maya' },
  ];
  openNotes((query) =>
    query.get('studentId') === '2'
      ? page({ students, homework: [], notes: [] })
      : page({ students }),
  );
  expect(await screen.findByText('Rearranging formulae went well.')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Maya' }).checked).toBe(true);
});

test('earlier notes are loaded on request', async () => {
  openNotes((query) =>
    query.get('offset') === '20'
      ? page({ notes: [{ ...note, sessionId: 1, did: 'Factorising' }] })
      : page({ hasMore: true }),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Show earlier notes' }));
  expect(await screen.findByText('Factorising')).toBeTruthy();
  expect(screen.getByText('Rearranging formulae went well.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show earlier notes' })).toBeNull();
});

test('says what will appear here if there is nothing yet, and offers a retry after an error', async () => {
  const { server } = openNotes(page({ homework: [], notes: [] }), {
    [NOTES]: () => json(500, { code: 'internal', message: 'No' }),
  });
  const retry = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  server.handlers[NOTES] = () => json(200, page({ homework: [], notes: [] }));
  fireEvent.click(retry);
  expect(
    await screen.findByText(
      "No notes yet. When Ada shares notes on a lesson or sets homework, you'll find them here.",
    ),
  ).toBeTruthy();
});

test('a person who sees no notes has no tab for them, and its URL shows the lessons', async () => {
  mockApi({
    'GET /api/portal/login': () =>
      json(200, portalLogin({ tutors: [{ ...adaAsTutor, seesNotes: false }] })),
    'GET /api/portal/tutors/c_ada_1234567/lessons': () => json(200, portalLessons()),
  });
  renderPortal(PATH);
  expect(await screen.findByRole('heading', { name: 'Next lessons' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Notes' })).toBeNull();
});
