import type { Dashboard } from '@lessonbook/contract/dashboard';
import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { paymentFormData } from '../test/family-and-payment-fixtures.ts';
import { json, mockApi, neverReplies } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { sessionRow } from '../test/session-fixtures.ts';
import { ada } from '../test/user-fixtures.ts';

const dashboard: Dashboard = {
  today: ada.today,
  todayCount: 4,
  upcoming: [sessionRow({ id: 31, lessonId: 3 })],
  incomplete: [sessionRow({ id: 41, lessonId: 4, date: '2026-11-13' })],
  incompleteCount: 8,
  unpaid: [
    {
      session: sessionRow({ id: 51, lessonId: 5, date: '2026-11-03', status: 'completed' }),
      familyId: 9,
      familyName: 'Ngozi Okafor',
      studentNames: ['Maya Okafor', 'Leo Okafor'],
      otherLessons: 2,
      outstanding: 10550,
      overdue: 10550,
    },
  ],
  unpaidCount: 12,
  transferClaims: [],
  week: {
    completed: 8,
    total: 14,
    money: [
      { currency: 'EUR', completedFees: 3000, scheduledFees: 0, received: 0 },
      { currency: 'GBP', completedFees: 19900, scheduledFees: 19750, received: 6550 },
    ],
  },
};

async function openHome(handler: () => Response | Promise<Response>) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/dashboard': handler,
  });
  const app = renderApp('/');
  await screen.findByRole('heading', { name: 'Good to see you, Ada' });
  return { ...app, server };
}

const list = (name: string) => within(screen.getByRole('region', { name }));
const hrefOf = (link: HTMLElement) => link.getAttribute('href');

test('the summary counts all items, not only the five listed, and links to them', async () => {
  await openHome(() => json(200, dashboard));
  const today = await screen.findByRole('link', { name: '4 lessons today' });
  expect(hrefOf(today)).toBe('/schedule');
  const due = screen.getByRole('link', { name: '8 to complete' });
  expect(hrefOf(due)).toBe('/lessons/4/complete');
  expect(hrefOf(screen.getByRole('link', { name: '12 families with payments due' }))).toBe(
    '#unpaid',
  );
});

test('each list has an action, and its rows link to sessions', async () => {
  await openHome(() => json(200, dashboard));
  const view = await screen.findByRole('link', { name: /^View Details/ });
  expect(hrefOf(view)).toBe('/lessons/3?session=31');
  const complete = list('Incomplete Lessons').getByRole('link', { name: /^Complete,/ });
  expect(hrefOf(complete)).toBe('/lessons/4/complete?session=41');
  const unpaid = list('Unpaid Past Lessons');
  expect(unpaid.getByText('£105.50')).toBeTruthy();
  expect(unpaid.getByText('Maya and Leo, 3 lessons')).toBeTruthy();
});

test('an unpaid row links to the family', async () => {
  await openHome(() => json(200, dashboard));
  await screen.findByRole('link', { name: /^View Details/ });
  const unpaid = list('Unpaid Past Lessons');
  expect(hrefOf(unpaid.getByRole('link', { name: 'Ngozi Okafor' }))).toBe('/families/9');
  expect(hrefOf(unpaid.getByRole('link', { name: 'All families' }))).toBe('/families');
});

test('F134 F120 Send reminder opens the reminder over the page', async () => {
  const { user, server, pathname } = await openHome(() => json(200, dashboard));
  server.handlers['POST /api/reminders/preview'] = neverReplies;
  await user.click(await screen.findByRole('button', { name: 'Send Reminder, Ngozi Okafor' }));
  expect(await screen.findByRole('dialog', { name: 'Send reminder' })).toBeTruthy();
  expect(pathname()).toBe('/');
});

test('a reminder is offered only for overdue amounts', async () => {
  const [family] = dashboard.unpaid;
  if (!family) throw new Error('No family');
  const partly = { ...family, familyName: 'Ruth Hale', overdue: 3000 };
  const notYet = { ...family, familyName: 'Tom Byrne', overdue: 0 };
  const rows = [partly, notYet].map((row, index) => ({
    ...row,
    session: { ...row.session, id: 60 + index },
  }));
  await openHome(() => json(200, { ...dashboard, unpaid: rows }));
  expect(await screen.findByText('£30 overdue')).toBeTruthy();
  const reminders = list('Unpaid Past Lessons').getAllByRole('button');
  expect(reminders.map((each) => each.getAttribute('aria-label'))).toEqual([
    'Send Reminder, Ruth Hale',
  ]);
});

test('F111 a card links to the messages waiting to be sent, and is hidden if there are none', async () => {
  const { server, queryClient } = await openHome(() => json(200, dashboard));
  await screen.findByRole('link', { name: /^View Details/ });
  expect(screen.queryByRole('region', { name: 'Messages to send' })).toBeNull();
  const counts = { activeStudents: 3, draftInvoices: 0, overdueInvoices: 0, messagesToSend: 4 };
  server.handlers['GET /api/navigation-counts'] = () => json(200, counts);
  await queryClient.invalidateQueries({ queryKey: ['/api/navigation-counts'] });
  const card = within(await screen.findByRole('region', { name: 'Messages to send' }));
  expect(card.getByText('4 waiting for you')).toBeTruthy();
  expect(hrefOf(card.getByRole('link', { name: 'Open messages' }))).toBe('/messages');
});

test('the home page opens the dialogs for a new lesson and a payment', async () => {
  const { user } = await openHome(() => json(200, dashboard));
  await user.click(screen.getByRole('button', { name: 'New Lesson' }));
  const lesson = await screen.findByRole('dialog', { name: 'Add New Lesson' });
  await user.click(within(lesson).getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Record payment' }));
  expect(await screen.findByPlaceholderText('Who paid?')).toBeTruthy();
});

test('a reported transfer is shown above the lists and can be recorded', async () => {
  const claim = {
    familyId: 9,
    familyName: 'Ruth Hale',
    claimedOn: '2026-11-14',
    amount: 10_000,
    currency: 'GBP',
  };
  const { user, server } = await openHome(() =>
    json(200, { ...dashboard, transferClaims: [claim] }),
  );
  server.handlers['GET /api/payments/form'] = () =>
    json(
      200,
      paymentFormData({
        familyId: 9,
        claim: { amount: 10_000, currency: 'GBP', claimedOn: '2026-11-14' },
      }),
    );
  const row = within(await screen.findByRole('region', { name: 'Reported transfers' }));
  expect(row.getByText(/says they've transferred £100/)).toBeTruthy();
  const order = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(order.slice(0, 3)).toEqual(['This week', 'Reported transfers', 'Incomplete Lessons']);
  await user.click(row.getByRole('button', { name: 'Record £100, Ruth Hale' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Record payment' }));
  expect((await dialog.findByLabelText<HTMLInputElement>(/^Amount/)).value).toBe('100');
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Bank transfer' }).checked).toBe(true);
});

test('in one column, lists with work to do come before upcoming lessons', async () => {
  await openHome(() => json(200, dashboard));
  await screen.findByRole('link', { name: /^View Details/ });
  const order = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(order).toEqual([
    'This week',
    'Incomplete Lessons',
    'Unpaid Past Lessons',
    'Upcoming Lessons',
  ]);
});

test('empty lists come last and show a message', async () => {
  await openHome(() =>
    json(200, { ...dashboard, incomplete: [], incompleteCount: 0, unpaid: [], unpaidCount: 0 }),
  );
  await screen.findByText('No one owes you anything.');
  const order = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(order[1]).toBe('Upcoming Lessons');
});

test('the week shows a tally and its amounts in each currency', async () => {
  await openHome(() => json(200, dashboard));
  const week = within(await screen.findByRole('region', { name: 'This week' }));
  expect(week.getByRole('img', { name: '8 of 14 lessons completed' })).toBeTruthy();
  expect(week.getByText('£199')).toBeTruthy();
  expect(week.getByText('€30')).toBeTruthy();
  expect(week.getByText('£197.50')).toBeTruthy();
  expect(week.getByText('Received').parentElement?.textContent).toBe('Received£65.50');
});

test('in one column, only a skeleton is shown while the dashboard loads', async () => {
  await openHome(neverReplies);
  expect(await screen.findAllByRole('status', { name: 'Loading' })).toHaveLength(1);
  expect(screen.queryByRole('heading', { name: 'Upcoming Lessons' })).toBeNull();
});

test('a retry is offered when the dashboard fails to load', async () => {
  const { user, server } = await openHome(() => json(500, {}));
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByText('No one owes you anything.')).toBeNull();
  server.handlers['GET /api/dashboard'] = () => json(200, dashboard);
  await user.click(retry);
  expect(await screen.findByRole('link', { name: '4 lessons today' })).toBeTruthy();
});

describe('onboarding', () => {
  const STEPS = 'GET /api/onboarding';
  const none = {
    student: false,
    lesson: false,
    payment: false,
    reminders: false,
  };
  const empty: Dashboard = {
    ...dashboard,
    todayCount: 0,
    upcoming: [],
    incomplete: [],
    incompleteCount: 0,
    unpaid: [],
    unpaidCount: 0,
    week: { completed: 0, total: 0, money: [] },
  };

  /** Opens the home page with these steps done. */
  async function openWithSteps(done: Partial<typeof none>) {
    const server = mockApi({
      'GET /api/me': () => json(200, ada),
      'GET /api/subjects': () => json(200, []),
      'GET /api/dashboard': () => json(200, empty),
      [STEPS]: () => json(200, { ...none, ...done }),
    });
    const app = renderApp('/');
    await screen.findByText('Your next lessons will appear here.');
    return { ...app, server };
  }

  const waitUntilHidden = () =>
    vi.waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull());

  test('each step is a link, and completed steps are marked as done', async () => {
    await openWithSteps({ student: true });
    const steps = within(await screen.findByRole('region', { name: 'First steps' }));
    expect(steps.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Add your first studentDone',
      'Schedule your first lessonStart',
      'Set up paymentsBank details or another way to pay',
      "Choose your remindersOptional. You'll see the first messages before they're sent.",
    ]);
    expect(steps.getAllByRole('link').map(hrefOf)).toEqual([
      '/schedule',
      '/settings/business',
      '/settings/reminders',
    ]);
  });

  test('disappears when all but the optional step are done, and is not requested again', async () => {
    const done = { student: true, lesson: true, payment: true };
    const { server } = await openWithSteps(done);
    await vi.waitFor(() => expect(server.count(STEPS)).toBe(1));
    await vi.waitFor(() =>
      expect(localStorage.getItem(`lessonbook-first-steps-over-${ada.id}`)).toBe('yes'),
    );
    await waitUntilHidden();
    cleanup();
    const reopened = await openWithSteps(done);
    expect(reopened.server.count(STEPS)).toBe(0);
  });

  test('F102 stays while families cannot see how to pay, until the tutor hides it', async () => {
    const { user } = await openWithSteps({ student: true, lesson: true, reminders: true });
    await screen.findByRole('region', { name: 'First steps' });
    await user.click(screen.getByRole('button', { name: 'Hide these steps' }));
    await waitUntilHidden();
    cleanup();
    const reopened = await openWithSteps({ student: true });
    expect(reopened.server.count(STEPS)).toBe(0);
  });

  test('F102 is also shown to a tutor who already teaches', async () => {
    mockApi({
      'GET /api/me': () => json(200, ada),
      'GET /api/subjects': () => json(200, []),
      'GET /api/dashboard': () => json(200, dashboard),
      [STEPS]: () => json(200, { ...none, student: true, lesson: true }),
    });
    renderApp('/');
    expect(await screen.findByRole('region', { name: 'First steps' })).toBeTruthy();
  });
});
