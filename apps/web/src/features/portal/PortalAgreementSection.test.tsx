import type { PortalAgreement } from '@lessonbook/contract/portal-agreement';
import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import {
  adaAsTutor,
  agreementVersion,
  contactDetails,
  portalAgreement,
  portalBrowsers,
  portalLessons,
  portalLogin,
} from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const API = '/api/portal/tutors/c_ada_1234567';
const LOGIN = 'GET /api/portal/login';
const AGREEMENT = `GET ${API}/agreement`;
const ACCEPT = `POST ${API}/agreement/acceptances`;
const ACCEPTED = { on: '2026-09-01', name: 'Ruth Hale' };

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

function openPortal(agreement: PortalAgreement, url = '/family/c_ada_1234567/details') {
  const hasAgreementToAccept = agreement.versions.some(({ accepted }) => !accepted);
  const server = mockApi({
    [LOGIN]: () => json(200, portalLogin({ tutors: [{ ...adaAsTutor, hasAgreementToAccept }] })),
    [AGREEMENT]: () => json(200, agreement),
    [`GET ${API}/lessons`]: () => json(200, portalLessons()),
    [`GET ${API}/details`]: () => json(200, contactDetails()),
    'GET /api/portal/browsers': () => json(200, portalBrowsers),
  });
  return { ...renderPortal(url), server };
}

const headings = () =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

const rows = () => {
  const heading = screen.getByRole('heading', { name: 'Your agreement with Ada Fenwick' });
  return within(heading.parentElement as HTMLElement)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
};

test('every page links to an agreement that has not been accepted yet, which comes first on the details page', async () => {
  const { user } = openPortal(portalAgreement(agreementVersion()), '/family/c_ada_1234567');
  await user.click(
    await screen.findByRole('link', {
      name: 'Ada Fenwick has asked you to read and accept an agreement',
    }),
  );
  await screen.findByRole('heading', { name: 'Your agreement with Ada Fenwick' });
  expect(headings()[0]).toBe('Your agreement with Ada Fenwick');
  expect(rows()).toEqual(['AgreementPlease read and accept itRead and accept']);
  expect(screen.queryByRole('link', { name: /has asked you to read/ })).toBeNull();
});

test('the agreement is accepted with the typed name', async () => {
  const { user, server } = openPortal(portalAgreement(agreementVersion()));
  await user.click(await screen.findByRole('button', { name: 'Read and accept: Agreement' }));
  const sheet = screen.getByRole('dialog', { name: 'Agreement with Ada Fenwick' });
  expect(within(sheet).getByText('Lessons are paid for monthly.')).toBeTruthy();
  await user.click(within(sheet).getByRole('button', { name: 'Accept agreement' }));
  expect(await within(sheet).findByText('Please type your name')).toBeTruthy();
  server.handlers[ACCEPT] = () =>
    server.saved(AGREEMENT, portalAgreement(agreementVersion({ accepted: ACCEPTED })));
  await user.type(within(sheet).getByLabelText('Type your name to accept it'), 'Ruth Hale');
  await user.click(within(sheet).getByRole('button', { name: 'Accept agreement' }));
  expect(await screen.findByText('Agreement accepted')).toBeTruthy();
  expect(server.last(ACCEPT)?.body).toEqual({ version: 1, name: 'Ruth Hale' });
  expect(rows()).toEqual(['AgreementYou agreed on 1 Sep 2026Read']);
});

test('an upcoming change is shown beside the current agreement', async () => {
  const { user } = openPortal(
    portalAgreement(
      agreementVersion({ accepted: ACCEPTED }),
      agreementVersion({
        version: 2,
        startsOn: '2027-01-05',
        isComing: true,
        text: 'Lessons are paid for weekly.',
      }),
    ),
  );
  await screen.findByRole('heading', { name: 'Your agreement with Ada Fenwick' });
  expect(rows()).toEqual([
    'AgreementYou agreed on 1 Sep 2026Read',
    'A change from 5 Jan 2027Please read and accept it. Your current agreement applies until thenRead and accept',
  ]);
  await user.click(screen.getByRole('button', { name: 'Read: Agreement' }));
  const sheet = screen.getByRole('dialog', { name: 'Agreement with Ada Fenwick' });
  expect(within(sheet).getByText('You agreed on 1 Sep 2026 as Ruth Hale.')).toBeTruthy();
  expect(within(sheet).queryByRole('button', { name: 'Accept agreement' })).toBeNull();
});

test('if a new version has been published in the meantime, it is shown instead', async () => {
  const { user, server } = openPortal(portalAgreement(agreementVersion()));
  await user.click(await screen.findByRole('button', { name: 'Read and accept: Agreement' }));
  const message = 'The agreement has changed. Please read the new version.';
  server.handlers[ACCEPT] = () => json(409, { code: 'conflict', message });
  server.handlers[AGREEMENT] = () =>
    json(200, portalAgreement(agreementVersion({ version: 2, text: 'Pay weekly.' })));
  await user.type(screen.getByLabelText('Type your name to accept it'), 'Ruth Hale');
  await user.click(screen.getByRole('button', { name: 'Accept agreement' }));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(await screen.findByText('Pay weekly.')).toBeTruthy();
  expect(screen.queryByText('Lessons are paid for monthly.')).toBeNull();
});

test('a version that replaces the open one while the person types is not accepted with the typed name', async () => {
  const { user, server } = openPortal(portalAgreement(agreementVersion()));
  await user.click(await screen.findByRole('button', { name: 'Read and accept: Agreement' }));
  await user.type(screen.getByLabelText('Type your name to accept it'), 'Ruth Hale');
  expect(screen.queryByRole('alert')).toBeNull();
  server.handlers[AGREEMENT] = () =>
    json(200, portalAgreement(agreementVersion({ version: 2, text: 'Pay weekly.' })));
  await act(async () => void window.dispatchEvent(new Event('visibilitychange')));
  expect(await screen.findByText('Pay weekly.')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe(
    'The agreement has changed. Please read the new version.',
  );
  const name = screen.getByLabelText<HTMLInputElement>('Type your name to accept it');
  expect(name.value).toBe('');
  await user.click(screen.getByRole('button', { name: 'Accept agreement' }));
  expect(server.last(ACCEPT)).toBeUndefined();
  expect(screen.getByRole('dialog')).toHaveProperty('open', true);
});

test('a person who is not asked to agree does not see the section', async () => {
  openPortal(portalAgreement());
  await screen.findByText('Ruth Hale');
  expect(headings()).toEqual(['Your contact details', 'Reminders', 'Signed-in browsers']);
});
