import { TextInput } from '@mantine/core';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { json, mockApi } from '../test/mock-api.ts';
import { renderComponentSignedIn } from '../test/render-component-signed-in.tsx';
import { ada } from '../test/user-fixtures.ts';
import { useForm } from './use-form.ts';
import { useRefreshUnchangedFields } from './use-refresh-unchanged-fields.ts';

const Profile = z.object({ name: z.string(), town: z.string() });

/** The button simulates a change in another window. */
function ProfileForm() {
  const [saved, setSaved] = useState({ name: 'Ada', town: 'London' });
  const profileForm = useForm({ schema: Profile, initialValues: saved });
  useRefreshUnchangedFields(profileForm, saved);
  const { form } = profileForm;
  return (
    <>
      <TextInput label="Name" key={form.key('name')} {...form.getInputProps('name')} />
      <TextInput label="Town" key={form.key('town')} {...form.getInputProps('town')} />
      <button type="button" onClick={() => setSaved({ name: 'Ada King', town: 'Leeds' })}>
        Change elsewhere
      </button>
    </>
  );
}

const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test('unedited fields are updated with the saved data; edited fields keep the typed text', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const { user } = await renderComponentSignedIn(<ProfileForm />);
  await user.type(await screen.findByLabelText('Name'), ' Lovelace');
  await user.click(screen.getByRole('button', { name: 'Change elsewhere' }));
  expect(valueOf('Town')).toBe('Leeds');
  expect(valueOf('Name')).toBe('Ada Lovelace');
});
