import type { AgreementSettings, AgreementVersion } from '@lessonbook/contract/agreements';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const AGREEMENT = 'GET /api/settings/agreement';
const PUBLISH = 'POST /api/settings/agreement/versions';

const version = (fields: Partial<AgreementVersion> = {}): AgreementVersion => ({
  version: 1,
  text: 'Lessons are paid for monthly.',
  startsOn: '2026-09-01',
  publishedAt: '2026-08-01T09:00:00Z',
  askedAt: null,
  state: 'current',
  ...fields,
});

const settings = (fields: Partial<AgreementSettings> = {}): AgreementSettings => ({
  isPortalOpen: true,
  versions: [version()],
  people: [
    {
      contactId: 1,
      familyId: 3,
      name: 'Ruth Hale',
      hasAccess: true,
      hasEmail: true,
      acceptances: [
        { version: 1, name: 'R. Hale', at: '2026-11-10T09:00:00Z', network: '203.0.113.x' },
      ],
    },
    {
      contactId: 2,
      familyId: 4,
      name: 'Tom Okafor',
      hasAccess: true,
      hasEmail: true,
      acceptances: [],
    },
  ],
  ...fields,
});

function openPage(page: AgreementSettings) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [AGREEMENT]: () => json(200, page),
  });
  return { ...renderApp('/settings/agreement'), server };
}

const card = async (name: string) =>
  (await screen.findByRole('heading', { name })).closest('section') as HTMLElement;

test('shows who has accepted the version that applies, and who has not', async () => {
  openPage(settings());
  const people = within(await card('Version 1, applies now'));
  expect(people.getByText('1 of 2 people have agreed.')).toBeTruthy();
  const rows = people.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows[0]).toMatch(/^Ruth HaleAgreed .*, as R\. Hale \(203\.0\.113\.x\)$/);
  expect(rows[1]).toBe('Tom OkaforNot agreed yet');
});

test('the first version can be published, but an unchanged text cannot', async () => {
  const { user, server } = openPage(settings({ versions: [] }));
  const text = await screen.findByLabelText('Text');
  await user.type(text, 'Pay monthly.');
  server.handlers[PUBLISH] = () =>
    server.saved(AGREEMENT, settings({ versions: [version({ text: 'Pay monthly.' })] }));
  await user.click(screen.getByRole('button', { name: 'Publish version 1' }));
  expect(await screen.findByText('Agreement published')).toBeTruthy();
  expect(server.last(PUBLISH)?.body).toEqual({ text: 'Pay monthly.', startsOn: ada.today });
  const next = await screen.findByRole<HTMLButtonElement>('button', { name: 'Publish version 2' });
  expect(next.disabled).toBe(true);
});

const NO_ONE = { sent: 0, alreadyAsked: 0, withoutAccess: 0, withoutEmail: 0, undeliverable: 0 };

test.each([
  [{ sent: 1 }, ['Asked 1 person by email']],
  [
    { sent: 2, alreadyAsked: 1, withoutEmail: 2 },
    ['Asked 2 people by email', '1 person was asked before. 2 people have no email address.'],
  ],
  [{ alreadyAsked: 3 }, ['Everyone has been asked already']],
  [{}, ['Everyone has agreed already']],
  [
    { alreadyAsked: 2, withoutAccess: 1, undeliverable: 1 },
    [
      'No one was asked',
      "2 people were asked before. 1 person can't use the family portal. 1 person couldn't be emailed.",
    ],
  ],
])('everyone who has not agreed is asked by email: %o', async (counts, texts) => {
  const { user, server } = openPage(settings());
  server.handlers['POST /api/settings/agreement/versions/1/ask'] = () =>
    json(200, { ...NO_ONE, ...counts });
  await user.click(await screen.findByRole('button', { name: 'Ask everyone to agree' }));
  for (const text of texts) expect(await screen.findByText(text)).toBeTruthy();
});

test('while the portal is closed, no one can be asked', async () => {
  openPage(settings({ isPortalOpen: false }));
  expect(await screen.findByRole('link', { name: 'open the family portal' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Ask everyone to agree' })).toBeNull();
});

test('an upcoming version and earlier versions are listed', async () => {
  const coming = version({ version: 3, startsOn: '2027-01-05', state: 'coming', text: 'Weekly.' });
  const past = version({ state: 'past', text: 'Long ago.' });
  openPage(settings({ versions: [coming, version({ version: 2 }), past] }));
  await card('Version 3, from 5 Jan 2027');
  await card('Version 2, applies now');
  expect(within(await card('Earlier versions')).getByText('Long ago.')).toBeTruthy();
});
