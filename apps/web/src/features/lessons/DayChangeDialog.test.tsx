import type { DayChange, DayChangePreview } from '@lessonbook/contract/move-online-or-cancel-days';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createDeferredReply, json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { sessionRow } from '../../test/session-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';

const notice = (toName: string, student: string, rest: object = {}) => ({
  familyId: 1,
  toName,
  students: [student],
  sessionIds: [1],
  channel: 'email' as const,
  address: `${toName.toLowerCase()}@families.example`,
  problem: null,
  subject: 'Lesson moved online',
  text: `Hi ${toName}, ${student} is online.`,
  ...rest,
});

const preview = (overrides: Partial<DayChangePreview> = {}): DayChangePreview => ({
  sessions: [sessionRow({ id: 1 }), sessionRow({ id: 2, studentName: 'Theo Lindqvist' })],
  unchanged: [{ reason: 'cancelled', count: 1 }],
  notices: [
    notice('Ruth', 'Maya'),
    notice('Eva', 'Theo', {
      address: null,
      problem: 'Eva has no email address yet. Please add one.',
    }),
  ],
  needsLink: true,
  offersGoogleMeet: false,
  suggestedLink: 'https://meet.example/ada',
  ...overrides,
});

const snow: DayChange = {
  id: 4,
  action: 'online',
  fromDate: '2026-11-14',
  toDate: '2026-11-15',
  sessionCount: 8,
};

async function openDialog(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/subjects': () => json(200, []),
    'GET /api/sessions': () => json(200, [sessionRow({ id: 1, date: ada.today })]),
    'GET /api/time-off': () => json(200, []),
    'GET /api/day-changes': () => json(200, []),
    'POST /api/day-changes/preview': () => json(200, preview()),
    'POST /api/day-changes': () =>
      json(201, { ...snow, action: 'cancel', emailed: 1, toSend: 0, notSent: 1 }),
    'POST /api/day-changes/4/undo': () =>
      json(200, { restored: 1, emailed: 1, toSend: 0, notSent: 0 }),
    ...handlers,
  });
  const { user } = renderApp('/schedule');
  await user.click(await screen.findByRole('button', { name: 'More for this day' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Change this day', hidden: true }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change this day' }));
  return { user, server, dialog };
}

test('moves the selected lessons online with the most recently used link', async () => {
  const { user, server, dialog } = await openDialog();
  expect(await dialog.findByText(/^2 lessons will be online\./)).toBeTruthy();
  expect(dialog.getByText(/1 lesson stays as it is: 1 already cancelled\./)).toBeTruthy();
  expect(dialog.getByText('1 email to families')).toBeTruthy();
  expect(dialog.getByText('Eva has no email address yet. Please add one.')).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>('Link for the lessons').value).toBe(
    'https://meet.example/ada',
  );
  await user.click(dialog.getByRole('checkbox', { name: /Theo Lindqvist/ }));
  await user.type(dialog.getByLabelText('Message to families (optional)'), 'It snows.');
  await vi.waitFor(() =>
    expect(server.last('POST /api/day-changes/preview')?.body).toMatchObject({
      keptSessionIds: [2],
      note: 'It snows.',
    }),
  );
  await user.click(await dialog.findByRole('button', { name: 'Move 1 lesson online' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/day-changes')?.body).toEqual({
      action: 'online',
      fromDate: ada.today,
      toDate: ada.today,
      sessionIds: [1],
      link: 'https://meet.example/ada',
      note: 'It snows.',
      notify: true,
    }),
  );
});

/** Opens the dialog and presses the button while the preview of the typed note is loading. */
async function pressWhilePreviewLoads() {
  const { user, server, dialog } = await openDialog();
  await dialog.findByText(/^2 lessons will be online\./);
  const { handler, reply } = createDeferredReply();
  server.handlers['POST /api/day-changes/preview'] = handler;
  await user.type(dialog.getByLabelText('Message to families (optional)'), 'It snows.');
  await vi.waitFor(() =>
    expect(server.last('POST /api/day-changes/preview')?.body).toMatchObject({ note: 'It snows.' }),
  );
  await user.click(dialog.getByRole('button', { name: 'Move 2 lessons online' }));
  expect(dialog.getByRole('button', { name: 'Saving...' })).toBeTruthy();
  expect(server.last('POST /api/day-changes')).toBeUndefined();
  return { server, dialog, reply };
}

test('F147 a press while the preview loads saves the change once it has loaded', async () => {
  const { server, reply } = await pressWhilePreviewLoads();
  reply(json(200, preview()));
  await vi.waitFor(() =>
    expect(server.last('POST /api/day-changes')?.body).toMatchObject({
      sessionIds: [1, 2],
      note: 'It snows.',
    }),
  );
});

test('F147 a press while the preview loads saves nothing if other lessons would be changed', async () => {
  const { server, dialog, reply } = await pressWhilePreviewLoads();
  reply(json(200, preview({ sessions: [sessionRow({ id: 1 }), sessionRow({ id: 3 })] })));
  expect(await dialog.findByRole('button', { name: 'Move 2 lessons online' })).toBeTruthy();
  expect(server.last('POST /api/day-changes')).toBeUndefined();
});

test('cancelling needs no link, can be done without notifying anyone, and can be undone', async () => {
  const { user, server, dialog } = await openDialog({
    'POST /api/day-changes/preview': () => json(200, preview({ needsLink: false })),
  });
  await user.click(dialog.getByRole('radio', { name: /^Cancel, free of charge/ }));
  expect(await dialog.findByText(/^2 lessons will be cancelled free of charge\./)).toBeTruthy();
  expect(dialog.queryByLabelText('Link for the lessons')).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: 'Let the families know' }));
  expect(dialog.queryByText('1 email to families')).toBeNull();
  await user.click(await dialog.findByRole('button', { name: 'Cancel 2 lessons' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/day-changes')?.body).toEqual({
      action: 'cancel',
      fromDate: ada.today,
      toDate: ada.today,
      sessionIds: [1, 2],
      notify: false,
    }),
  );
  expect(await screen.findByText('1 person emailed and 1 person not reached')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('1 lesson changed back')).toBeTruthy();
});

test('Google Meet replaces the link where it is offered', async () => {
  const { user, server, dialog } = await openDialog({
    'POST /api/day-changes/preview': () => json(200, preview({ offersGoogleMeet: true })),
  });
  expect(await dialog.findByRole('checkbox', { name: 'Use Google Meet' })).toBeTruthy();
  await user.click(await dialog.findByRole('button', { name: 'Move 2 lessons online' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/day-changes')?.body).toMatchObject({ usesGoogleMeet: true }),
  );
});

test('an existing change to this day can be extended and undone', async () => {
  const { user, server, dialog } = await openDialog({
    'GET /api/day-changes': () => json(200, [snow]),
  });
  await user.click(await dialog.findByRole('button', { name: /^Undo, / }));
  await user.click(await screen.findByRole('button', { name: 'Undo change' }));
  await vi.waitFor(() => expect(server.count('POST /api/day-changes/4/undo')).toBe(1));
  await user.click(await dialog.findByRole('button', { name: /^Add days, / }));
  const extension = within(await screen.findByRole('dialog', { name: 'Add days' }));
  await user.click(await extension.findByRole('button', { name: 'Move 2 lessons online' }));
  await vi.waitFor(() =>
    expect(server.last('POST /api/day-changes')?.body).toMatchObject({
      extendsId: 4,
      action: 'online',
      fromDate: '2026-11-16',
      toDate: '2026-11-16',
    }),
  );
});
