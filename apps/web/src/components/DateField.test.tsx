import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderComponentSignedIn } from '../test/render-component-signed-in.tsx';
import { ada } from '../test/user-fixtures.ts';
import { DateField } from './DateField.tsx';

const TODAY = '2026-11-17';

function Field({ earliest }: { earliest?: string }) {
  const [date, setDate] = useState(TODAY);
  return (
    <>
      <DateField
        label="Date"
        value={date}
        onChange={setDate}
        today={TODAY}
        placeholder="Pick a date"
        clearable
        {...(earliest && { earliest })}
      />
      <output aria-label="Value">{date}</output>
    </>
  );
}

async function renderField(earliest?: string) {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const { user } = await renderComponentSignedIn(<Field {...(earliest && { earliest })} />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Date' });
  async function type(text: string) {
    await user.clear(field);
    await user.type(field, text);
    await user.tab();
  }
  return {
    field,
    user,
    type,
    value: () => screen.getByRole('status', { name: 'Value' }).textContent,
  };
}

test('F63 F115 a date can be typed, with the day before the month', async () => {
  const { field, type, value } = await renderField();
  expect(field.value).toBe('17 Nov 2026');
  await type('3/12');
  expect(value()).toBe('2026-12-03');
  expect(field.value).toBe('3 Dec 2026');
});

test('F63 an invalid date stays as typed, shows an error and replaces the previous date', async () => {
  const { field, type, value } = await renderField();
  await type('31 Feb');
  expect(field.value).toBe('31 Feb');
  expect(value()).toBe('31 Feb');
  expect(screen.getByText('Please enter a date such as 3 Dec 2026')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await type('28 Feb');
  expect(value()).toBe('2027-02-28');
  expect(screen.queryByText('Please enter a date such as 3 Dec 2026')).toBeNull();
});

test('F63 a typed date before the earliest one shows an error', async () => {
  const { field, type, value } = await renderField(TODAY);
  await type('1 Nov 2026');
  expect(field.value).toBe('1 Nov 2026');
  expect(screen.getByText('Please choose 17 Nov 2026 or later')).toBeTruthy();
  expect(value()).toBe('1 Nov 2026');
});

test('F63 deleting the text or pressing Clear removes the date', async () => {
  const { field, user, type, value } = await renderField();
  await type(' ');
  expect(value()).toBe('');
  await type('today');
  expect(value()).toBe(TODAY);
  await user.click(screen.getByRole('button', { name: 'Clear Date' }));
  expect(value()).toBe('');
  expect(field.value).toBe('');
});
