import { screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { NewLessonDialog } from '../features/lessons/NewLessonDialog.tsx';
import type { LessonDefaults } from '../features/lessons/shared/lesson-form.ts';
import { json, mockApi } from './mock-api.ts';
import { renderComponentSignedIn } from './render-component-signed-in.tsx';
import { selectOption } from './select-option.ts';
import { ada } from './user-fixtures.ts';

const blank = { phone: null, email: null, subject: null, notes: null };
const noCarer = {
  carerId: null,
  carerName: null,
  carerRelationship: null,
  carerPhone: null,
  carerEmail: null,
};
export const maya = { id: 3, name: 'Maya', ...blank, ...noCarer };
export const maths = {
  id: 4,
  name: 'Maths',
  description: null,
  defaultFee: 35,
  currency: 'EUR',
  color: 'sky',
};

export const summary = {
  changed: 0,
  created: 1,
  removed: 0,
  unchanged: [],
  overlaps: [],
  skipped: [],
  outsideTerms: [],
};
export const saved = {
  lessonId: 8,
  sessionId: 9,
  consequences: { ...summary, firstDate: '2026-11-15', lastDate: '2026-11-15' },
  moved: [],
};
export const POST = 'POST /api/lessons';

/** Opens the dialog for a new lesson with one student and one subject. */
export async function openNewLessonDialog(
  handlers: Parameters<typeof mockApi>[0] = {},
  defaults: LessonDefaults = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/students': () => json(200, [maya]),
    'GET /api/subjects': () => json(200, [maths]),
    'GET /api/time-off': () => json(200, []),
    [POST]: () => json(201, saved),
    ...handlers,
  });
  const onClose = vi.fn();
  const onSaved = vi.fn();
  const { user } = await renderComponentSignedIn(
    <NewLessonDialog opened onClose={onClose} onSaved={onSaved} defaults={defaults} />,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Add New Lesson' });
  await waitFor(() => expect(server.count('GET /api/subjects')).toBe(1));

  const field = (name: string | RegExp) =>
    within(dialog).getByRole<HTMLInputElement>('combobox', { name });
  const text = (label: string | RegExp) =>
    within(dialog).getByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' });
  async function fill(input: HTMLInputElement, value: string) {
    await user.clear(input);
    if (value) await user.type(input, value);
    await user.tab();
  }
  async function chooseStudentAndSubject() {
    await selectOption(user, field('Student'), 'Maya');
    await selectOption(user, field('Subject'), 'Maths');
  }
  const save = () => user.click(within(dialog).getByRole('button', { name: 'Save Lesson' }));
  const sentBody = () => server.last(POST)?.body as Record<string, unknown>;
  return {
    user,
    server,
    dialog,
    onClose,
    onSaved,
    field,
    text,
    fill,
    chooseStudentAndSubject,
    save,
    sentBody,
  };
}
