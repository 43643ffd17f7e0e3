import { REVISION_HEADER } from '@lessonbook/contract/endpoint';
import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reportRevision } from '../../lib/data-revision.ts';
import { familyListItem } from '../../test/family-and-payment-fixtures.ts';
import { createDeferredReply, FakeEventSource, json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { renderComponentSignedIn } from '../../test/render-component-signed-in.tsx';
import { ada } from '../../test/user-fixtures.ts';
import { studentsQuery, useCreateStudent } from '../students/api.ts';

const LIST = 'GET /api/students';
const CREATE = 'POST /api/students';
const NEW_REVISION = ada.revision + 1;

function Students() {
  const { data = [] } = useQuery(studentsQuery);
  const create = useCreateStudent();
  return (
    <>
      <ul>
        {data.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <button type="button" onClick={() => create.mutate({ name: 'Leo Marsh' })}>
        {create.isPending ? 'Saving...' : 'Save'}
      </button>
    </>
  );
}

function createdResponse() {
  const response = json(201, { id: 2, name: 'Leo Marsh' });
  response.headers.set(REVISION_HEADER, String(NEW_REVISION));
  return response;
}

async function openStudents(create: () => Response | Promise<Response>) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [LIST]: () => json(200, [{ id: 1, name: 'Maya Hale' }]),
    [CREATE]: create,
  });
  const app = await renderComponentSignedIn(<Students />);
  await screen.findByText('Maya Hale');
  server.handlers['GET /api/me'] = () => json(200, { ...ada, revision: NEW_REVISION });
  const idle = () => waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
  return { ...app, server, idle };
}

test('F61 saving ends with the response to the write, without waiting for the list, which is refetched once', async () => {
  const { user, server, idle } = await openStudents(createdResponse);
  const list = createDeferredReply();
  server.handlers[LIST] = list.handler;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Student created successfully');
  expect(await screen.findByRole('button', { name: 'Save' })).toBeTruthy();
  await waitFor(() => expect(server.count(LIST)).toBe(2));
  act(() => list.reply(json(200, [{ id: 2, name: 'Leo Marsh' }])));
  expect(await screen.findByText('Leo Marsh')).toBeTruthy();
  await idle();
  act(() => reportRevision(NEW_REVISION));
  expect(server.count(LIST)).toBe(2);
});

test('F61 a live update that arrives before the response to the write does not refetch twice', async () => {
  const create = createDeferredReply();
  const { user, server, idle } = await openStudents(create.handler);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Saving...' });
  act(() => reportRevision(NEW_REVISION));
  expect(server.count(LIST)).toBe(1);
  act(() => create.reply(createdResponse()));
  await waitFor(() => expect(server.count(LIST)).toBe(2));
  await idle();
  expect(server.count(LIST)).toBe(2);
});

test('F61 if a failed write may have been saved, the list is refetched', async () => {
  const { user, server } = await openStudents(() => json(500, {}));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.count(LIST)).toBe(2));
});

test('F61 F144 a page without focus shows a change made in another window', async () => {
  const families = [familyListItem({ id: 1, name: 'Ruth Hale' })];
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/families': () => json(200, families),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
  });
  renderApp('/families');
  await screen.findByText('Ruth Hale');
  families.push(familyListItem({ id: 2, name: 'Omar Aziz' }));
  server.handlers['GET /api/me'] = () => json(200, { ...ada, revision: NEW_REVISION });
  const [stream] = FakeEventSource.openSources;
  act(() => {
    stream?.dispatchEvent(new MessageEvent('message', { data: String(NEW_REVISION) }));
  });
  expect(await screen.findByText('Omar Aziz')).toBeTruthy();
  expect(server.count('GET /api/families')).toBe(2);
});
