import type { LessonNote, SessionNotes } from '@lessonbook/contract/lesson-notes';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { sessionNotes } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { SessionFamilyNotesForm } from './SessionFamilyNotesForm.tsx';

const READ = 'GET /api/sessions/12/family-notes';
const SAVE = 'PUT /api/sessions/12/students/1/family-note';
const WITHDRAW = 'POST /api/sessions/12/students/1/family-note/withdraw';

const text = { did: 'Fractions', nextTime: '', homework: '', dueOn: null };

const note = (fields: Partial<LessonNote> = {}): LessonNote => ({
  sessionId: 12,
  studentId: 1,
  date: '2026-11-15',
  startTime: '16:00',
  subjectName: 'Maths',
  draft: null,
  shared: null,
  homeworkDone: null,
  ...fields,
});

const shared = {
  ...text,
  version: 1,
  sharedAt: '2026-11-15T09:00:00Z',
  withdrawnAt: null,
};

type Seat = SessionNotes['students'][number];

const seat = (fields: Partial<Seat> = {}): Seat => sessionNotes(fields).students[0] as Seat;

async function open(seats: Seat[] = [seat()], isPortalOpen = true) {
  const reply = (students: Seat[]): SessionNotes => ({ isPortalOpen, students });
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [READ]: () => json(200, reply(seats)),
    [SAVE]: ({ body }) => {
      const { share, ...lines } = body as typeof text & { share: boolean };
      const saved = share
        ? note({ shared: { ...shared, ...lines } })
        : note({ ...seats[0]?.note, draft: lines });
      return server.saved(READ, reply([seat({ note: saved })]));
    },
    [WITHDRAW]: () =>
      server.saved(
        READ,
        reply([seat({ note: note({ shared: { ...shared, withdrawnAt: shared.sharedAt } }) })]),
      ),
  });
  const { user } = await renderComponentSignedIn(
    <SessionFamilyNotesForm sessionId={12} dateContext={ada} />,
  );
  await screen.findByRole('textbox', { name: 'What we did' });
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  return { user, server, press };
}

const field = (name: string) => screen.getByRole<HTMLTextAreaElement>('textbox', { name });

test('a note is shared with homework for the next lesson, and what was planned last time is shown', async () => {
  const previous = {
    sessionId: 11,
    date: '2026-11-08',
    nextTime: 'Fractions',
    homework: '9A',
    isHomeworkDone: true,
  };
  const { user, server, press } = await open([seat({ previous })]);
  expect(screen.getByText(/Planned last time, .*: Fractions/).textContent).toContain('9A (done)');
  expect(screen.getByRole('button', { name: 'Share with family' })).toHaveProperty(
    'disabled',
    true,
  );
  await user.type(field('What we did'), 'Fractions');
  await user.type(field('Homework'), '9B');
  expect(await screen.findByDisplayValue('22 Nov 2026')).toBeTruthy();
  await press('Share with family');
  await vi.waitFor(() =>
    expect(server.last(SAVE)?.body).toEqual({
      did: 'Fractions',
      nextTime: '',
      homework: '9B',
      dueOn: '2026-11-22',
      share: true,
    }),
  );
  expect(await screen.findByText(/^Shared .* Ruth can read it\.$/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Share with family' })).toBeNull();
});

test('a draft is saved without sharing it', async () => {
  const { user, server, press } = await open();
  await user.type(field('Next time'), 'Decimals');
  await press('Save draft');
  await vi.waitFor(() => expect(server.last(SAVE)?.body).toMatchObject({ share: false }));
  expect(await screen.findByText('Draft. Only you see it.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Share with family' })).toBeTruthy();
});

test('a shared note can be changed by sharing it again, and withdrawn after a confirmation', async () => {
  const { user, server, press } = await open([seat({ note: note({ shared }) })]);
  expect(field('What we did').value).toBe('Fractions');
  await user.type(field('What we did'), ' and decimals');
  await press('Share changes');
  await vi.waitFor(() =>
    expect(server.last(SAVE)?.body).toMatchObject({ did: 'Fractions and decimals', share: true }),
  );
  await press('Withdraw');
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Withdraw note' }));
  expect(await screen.findByText(/^Withdrawn .*Families don't see it any more\.$/)).toBeTruthy();
  expect(server.count(WITHDRAW)).toBe(1);
});

test('says that the portal is closed, and that no one can read the notes', async () => {
  await open([seat({ readers: [] })], false);
  expect(screen.getByText(/^Your family portal is closed\. The note is saved/)).toBeTruthy();
  expect(screen.getByText(/^No one can read Maya's notes yet/)).toBeTruthy();
});

test('the versions show what was shared and when', async () => {
  const { server, press } = await open([seat({ note: note({ shared }) })]);
  server.handlers['GET /api/sessions/12/students/1/family-note/versions'] = () =>
    json(200, [
      { ...shared, version: 2, homework: '9B', dueOn: '2026-11-22' },
      { ...shared, did: 'Fractoins', withdrawnAt: '2026-11-15T09:30:00Z' },
    ]);
  await press('Versions');
  const dialog = await screen.findByRole('dialog');
  const items = await within(dialog).findAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Shared .*Fractions\nHomework \(for Sun 22 Nov\): 9B$/),
    expect.stringMatching(/^Shared .*, withdrawn .*Fractoins$/),
  ]);
});

test('in a group, each student has their own note', async () => {
  const { user } = await open([
    seat({ note: note({ draft: text }) }),
    seat({ studentId: 2, studentName: 'Leo Hale', note: null }),
  ]);
  expect(field('What we did').value).toBe('Fractions');
  await user.click(screen.getByRole('combobox', { name: 'Student' }));
  await user.click(await screen.findByRole('option', { name: 'Leo Hale', hidden: true }));
  await vi.waitFor(() => expect(field('What we did').value).toBe(''));
});
