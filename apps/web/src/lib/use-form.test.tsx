import { TextInput } from '@mantine/core';
import { act, cleanup, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ModalActions } from '../components/ModalActions.tsx';
import { ResponsiveModal } from '../components/ResponsiveModal.tsx';
import { json, mockApi } from '../test/mock-api.ts';
import { renderComponentSignedIn } from '../test/render-component-signed-in.tsx';
import { ada } from '../test/user-fixtures.ts';
import { setDraftOwner } from './form-drafts.ts';
import { ApiError } from './http.ts';
import { useForm } from './use-form.ts';

const Note = z.object({ note: z.string().check(z.minLength(1, 'Please write a note')) });

function NoteForm({ save }: { save: (note: string, key: string) => Promise<unknown> }) {
  const { form, onSubmit, keyFor } = useForm({
    schema: Note,
    initialValues: { note: '' },
    draft: { key: 'test', fields: ['note'] },
  });
  return (
    <form noValidate onSubmit={onSubmit(({ note }) => save(note, keyFor(note)))}>
      <TextInput label="Note" key={form.key('note')} {...form.getInputProps('note')} />
      <button type="submit">Save</button>
    </form>
  );
}

const noteField = () => screen.findByLabelText<HTMLInputElement>('Note');
const saveNothing = async () => undefined;

async function showForm(
  save: Parameters<typeof NoteForm>[0]['save'] = saveNothing,
  demo: object | null = null,
) {
  mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/sign-in-options': () => json(200, { google: false, passkeys: false, demo }),
  });
  return renderComponentSignedIn(<NoteForm save={save} />);
}

test('F60 a draft survives a reload and is removed when it is saved', async () => {
  const { user } = await showForm();
  await user.type(await noteField(), 'Fractions');
  cleanup();
  const reloaded = await showForm();
  expect((await noteField()).value).toBe('Fractions');
  await reloaded.user.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(localStorage.length).toBe(0));
  cleanup();
  await showForm();
  expect((await noteField()).value).toBe('');
});

test('F60 a draft with other fields, from an older version of the app, is ignored', async () => {
  const key = `lessonbook-draft:${ada.id}:test`;
  for (const draft of ['{"text":"Fractions"}', '{"note":{"text":"Fractions"}}', 'null', '{']) {
    localStorage.setItem(key, draft);
    await showForm();
    expect((await noteField()).value).toBe('');
    cleanup();
  }
});

test.each([
  ['on logout', null],
  ['when another tutor logs in', { id: 'another tutor', mayStore: async () => true }],
])('F60 drafts are removed %s', async (_when, nextOwner) => {
  const { user } = await showForm();
  await user.type(await noteField(), 'Fractions');
  expect(localStorage.length).toBe(1);
  setDraftOwner(nextOwner);
  expect(localStorage.length).toBe(0);
});

test('F60 the demo stores no drafts', async () => {
  const { user } = await showForm(saveNothing, { username: ada.username, password: 'demo' });
  await user.type(await noteField(), 'Fractions');
  expect(localStorage.length).toBe(0);
});

test('F60 the idempotency key changes with the input and after a success, not after a failure', async () => {
  const keys: string[] = [];
  const save = vi.fn(async (_note: string, key: string) => {
    keys.push(key);
    if (keys.length === 1) throw new ApiError({ status: 0, message: '' });
  });
  const { user } = await showForm(save);
  await user.type(await noteField(), 'Fractions');
  const submit = async (times: number) => {
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(times));
  };
  await submit(1);
  await submit(2);
  await submit(3);
  await user.type(await noteField(), '!');
  await submit(4);
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

test("F60 the schema's and the server's messages are shown next to the field", async () => {
  const fields = { note: 'That note exists already' };
  const { user } = await showForm(async () => {
    throw new ApiError({ status: 400, message: '', fields });
  });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please write a note')).toBeTruthy();
  await user.type(await noteField(), 'Fractions');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('That note exists already')).toBeTruthy();
  expect(document.activeElement).toBe(await noteField());
});

function TwoModals() {
  const [opened, setOpened] = useState<'first' | 'second' | null>('second');
  return (
    <>
      <ResponsiveModal title="First" opened={opened !== null} onClose={() => setOpened(null)}>
        <ModalActions
          onCancel={() => setOpened(null)}
          confirmLabel="Next"
          busyLabel="Next"
          isBusy={false}
        />
      </ResponsiveModal>
      <ResponsiveModal
        title="Second"
        opened={opened === 'second'}
        onClose={() => setOpened('first')}
      >
        <p>Second</p>
      </ResponsiveModal>
    </>
  );
}

test('F105 Back closes one layer at a time', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const { router } = await renderComponentSignedIn(<TwoModals />);
  const { state } = router.history.location;
  const goBack = () =>
    act(() => {
      window.dispatchEvent(Object.assign(new Event('popstate'), { state }));
    });
  const second = await screen.findByRole('dialog', { name: 'Second' });
  expect(within(second).getByRole('button', { name: 'Close' })).toBeTruthy();
  goBack();
  await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Second' })).toBeNull());
  expect(screen.getByRole('dialog', { name: 'First' })).toBeTruthy();
  goBack();
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
