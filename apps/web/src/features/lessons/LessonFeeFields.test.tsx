import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { selectOption } from '../../test/select-option.ts';
import { ada } from '../../test/user-fixtures.ts';
import { NewLessonDialog } from './NewLessonDialog.tsx';

const maths = { id: 4, name: 'Maths', defaultFee: 35, currency: 'EUR', color: 'sky' };
const rate = {
  id: 1,
  studentId: 3,
  studentName: 'Maya',
  subjectId: 4,
  subjectName: 'Maths',
  amount: 4000,
  currency: 'EUR',
  unit: 'hour',
  validFrom: '2026-11-01',
};
const saved = {
  lessonId: 8,
  sessionId: 9,
  consequences: {
    overlaps: [],
    skipped: [],
    outsideTerms: [],
    firstDate: '2026-11-15',
    lastDate: '2026-11-15',
  },
  moved: [],
};

test.each([
  ["the student's rate", [rate], "Use the student's rate", '40'],
  ["the subject's default fee", [], "Use the subject's default fee", '35'],
])('a typed fee and currency are replaced by %s', async (_, rates, label, fee) => {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/students': () => json(200, [{ id: 3, name: 'Maya' }]),
    'GET /api/subjects': () => json(200, [maths]),
    'GET /api/time-off': () => json(200, []),
    'GET /api/rates': () => json(200, rates),
    'POST /api/lessons': () => json(201, saved),
  });
  const onClose = vi.fn();
  const { user } = await renderComponentSignedIn(<NewLessonDialog opened onClose={onClose} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Lesson' }));
  const field = (name: string) => dialog.getByRole('combobox', { name });
  await waitFor(() => expect(server.count('GET /api/subjects')).toBe(1));
  await selectOption(user, field('Student'), 'Maya');
  await selectOption(user, field('Subject'), 'Maths');
  const input = dialog.getByLabelText<HTMLInputElement>('Fee');
  await waitFor(() => expect(input.value).toBe(fee));
  expect(dialog.queryByRole('button', { name: label })).toBeNull();

  await user.clear(input);
  await user.type(input, '50');
  await selectOption(user, field('Currency'), 'GBP');
  await user.click(dialog.getByRole('button', { name: label }));
  expect(input.value).toBe(fee);
  expect(document.activeElement).toBe(input);
  await user.click(dialog.getByRole('button', { name: 'Save Lesson' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.last('POST /api/lessons')?.body).toMatchObject({
    usesRates: true,
    currency: 'EUR',
  });
});
