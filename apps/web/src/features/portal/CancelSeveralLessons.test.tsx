import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import {
  cancellationCost,
  portalLesson,
  portalLessons,
  portalLogin,
} from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';
import { costsOf, formatHeadline, formatSum, isCancellable } from './cancellation-cost.ts';

const LESSONS = 'GET /api/portal/tutors/c_ada_1234567/lessons';
const CANCEL = 'POST /api/portal/tutors/c_ada_1234567/cancellations';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

type Cost = Parameters<typeof cancellationCost>[0];

interface LessonInput {
  id: number;
  name?: 'Maya' | 'Leo';
  date?: string;
  cost?: Cost;
}

const lessonOf = ({ id, name = 'Leo', date = '2026-11-18', cost = {} }: LessonInput) =>
  portalLesson({
    sessionId: id,
    studentId: name === 'Maya' ? 1 : 2,
    studentName: name,
    date,
    startsAt: `${date}T16:30:00Z`,
    endsAt: `${date}T17:30:00Z`,
    cancellation: cancellationCost({ increase: null, ...cost }),
  });

/** Two of Maya's lessons, one of them this week, and three of Leo's, two of them this week. */
const family = () => [
  lessonOf({
    id: 1,
    name: 'Maya',
    date: '2026-11-17',
    cost: { fee: 3800, freeCancellationsLeft: 0 },
  }),
  lessonOf({ id: 2, date: '2026-11-18', cost: { fee: 1750 } }),
  lessonOf({ id: 3, date: '2026-11-20', cost: { fee: 3500 } }),
  lessonOf({ id: 4, name: 'Maya', date: '2026-11-24', cost: { fee: 0, freeUntil: null } }),
  lessonOf({ id: 5, date: '2026-11-30', cost: { fee: 0, freeUntil: null } }),
];

async function openChoice(lessons = family()) {
  const server = mockApi({
    'GET /api/portal/login': () => json(200, portalLogin()),
    [LESSONS]: () => json(200, portalLessons({ lessons })),
  });
  const { user } = renderPortal();
  await user.click(await screen.findByRole('button', { name: 'Cancel several' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel several lessons' });
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  return { server, dialog, press, user };
}

const headline = () => screen.getByRole('dialog').querySelector('[role=status] b')?.textContent;
const fees = () =>
  within(screen.getByRole('dialog'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('there is no button for cancelling several lessons if only one may be cancelled', async () => {
  mockApi({
    'GET /api/portal/login': () => json(200, portalLogin()),
    [LESSONS]: () =>
      json(
        200,
        portalLessons({
          lessons: [lessonOf({ id: 1 }), lessonOf({ id: 2, cost: { isAllowed: false } })],
        }),
      ),
  });
  renderPortal();
  await screen.findByRole('button', { name: /^Cancel lesson for Leo/ });
  expect(screen.queryByRole('button', { name: 'Cancel several' })).toBeNull();
});

test("a child's week is chosen with one press, and pressing again removes it", async () => {
  const { dialog, press } = await openChoice();
  const days = [...dialog.querySelectorAll('legend')].map(({ textContent }) => textContent);
  expect(days).toEqual([
    'Today, Tue 17 Nov',
    'Tomorrow, Wed 18 Nov',
    'Fri 20 Nov',
    'Tue 24 Nov',
    'Mon 30 Nov',
  ]);
  const choices = [...dialog.querySelectorAll('[aria-pressed]')];
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    'This week',
    "All Leo's lessons this week",
  ]);
  const continueButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Continue/ });
  expect(continueButton().disabled).toBe(true);
  await press("All Leo's lessons this week");
  expect(continueButton().textContent).toBe('Continue with 2 lessons');
  await press('This week');
  expect(continueButton().textContent).toBe('Continue with 3 lessons');
  await press('This week');
  expect(continueButton().disabled).toBe(true);
});

test("two children's lessons are cancelled at once, for the total that was shown", async () => {
  const { server, press, user } = await openChoice();
  await press('This week');
  const [mayasToday] = screen.getAllByRole('checkbox', { name: 'Maya, 4:30pm, Maths' });
  if (mayasToday) await user.click(mayasToday);
  await press('Continue with 2 lessons');
  expect(screen.getByRole('dialog', { name: 'Cancel 2 lessons?' })).toBeTruthy();
  // The free late cancellation is used for the dearer of Leo's lessons.
  expect(fees()).toEqual([
    'Leo, Wed 18 Nov, 4:30pm £17.50',
    'Leo, Fri 20 Nov, 4:30pm Free late cancellation',
  ]);
  await press('Back');
  await press('This week');
  await press('Continue with 3 lessons');
  expect(headline()).toBe('£55.50 with your free late cancellation');
  expect(screen.getByText('Without it, cancelling costs £90.50.')).toBeTruthy();
  expect(screen.getByText("For Leo's lesson on Fri 20 Nov.")).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: 'Maya and Leo are ill' })).toBeTruthy();
  server.handlers[CANCEL] = () => json(200, { cancelled: 3 });
  await press('Cancel 3 lessons (£55.50)');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(CANCEL)?.body).toEqual({
    lessons: [
      { sessionId: 1, studentId: 1, fee: 3800, usesFreeCancellation: false },
      { sessionId: 2, studentId: 2, fee: 1750, usesFreeCancellation: false },
      { sessionId: 3, studentId: 2, fee: 0, usesFreeCancellation: true },
    ],
    isIllness: false,
    message: null,
  });
});

test('if a cost has changed, the selection is kept, except for a lesson that no longer exists', async () => {
  const { server, press } = await openChoice();
  await press('This week');
  await press('Continue with 3 lessons');
  const [first, second] = family();
  server.handlers[LESSONS] = () =>
    json(200, portalLessons({ lessons: [first, second].flatMap((lesson) => lesson ?? []) }));
  server.handlers[CANCEL] = () => json(409, { code: 'fee_changed', message: 'Changed' });
  await press('Cancel 3 lessons (£55.50)');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Some of these lessons have changed. Please check the cost and confirm again.',
  );
  expect(screen.getByRole('button', { name: 'Cancel 2 lessons (£38)' })).toBeTruthy();
});

test('at most 50 lessons can be cancelled at once', async () => {
  const lessons = Array.from({ length: 51 }, (_, id) => lessonOf({ id: id + 1 }));
  const { press } = await openChoice(lessons);
  await press('This week');
  expect(screen.getByRole('alert').textContent).toBe('You can cancel up to 50 lessons at once.');
  expect(
    screen.getByRole<HTMLButtonElement>('button', { name: 'Continue with 51 lessons' }).disabled,
  ).toBe(true);
});

const costs = (inputs: LessonInput[], usesFree = true) =>
  costsOf(inputs.map(lessonOf).filter(isCancellable), usesFree);

test.each<[string, LessonInput[], number[]]>([
  ['the dearest first', [{ id: 1 }, { id: 2, cost: { fee: 3500 } }], [1750, 0]],
  ['one for each child', [{ id: 1 }, { id: 2, name: 'Maya' }], [0, 0]],
  ['one for each term', [{ id: 1 }, { id: 2, cost: { termStart: '2027-01-04' } }], [0, 0]],
  [
    'two if two are left',
    [2, 2, 2].map((freeCancellationsLeft, id) => ({ id, cost: { freeCancellationsLeft } })),
    [0, 0, 1750],
  ],
  ['none for a free lesson', [{ id: 1, cost: { fee: 0 } }, { id: 2 }], [0, 0]],
])('applies free late cancellations: %s', (_, inputs, expected) => {
  expect(costs(inputs).map(({ fee }) => fee)).toEqual(expected);
  expect(costs(inputs, false).every(({ usesFreeCancellation }) => !usesFreeCancellation)).toBe(
    true,
  );
});

test.each<[LessonInput[], string, string]>([
  [[{ id: 1, cost: { fee: 0 } }], 'free', 'Free if you cancel now'],
  [[{ id: 1 }], '£0', '£0 with your free late cancellation'],
  [[{ id: 1 }, { id: 2, name: 'Maya' }], '£0', '£0 with 2 free late cancellations'],
  [
    [
      { id: 1, cost: { freeCancellationsLeft: 0 } },
      { id: 2, cost: { freeCancellationsLeft: 0, currency: 'EUR', fee: 2000 } },
    ],
    '€20 and £17.50',
    '€20 and £17.50 if you cancel now',
  ],
])('formats the total and the headline for %o', (inputs, sum, text) => {
  expect(formatSum(costs(inputs))).toBe(sum);
  expect(formatHeadline(costs(inputs))).toBe(text);
});
