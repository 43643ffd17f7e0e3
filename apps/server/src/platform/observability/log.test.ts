import { expect, test } from 'vitest';
import { AppError } from '../app-error.ts';
import { serializeError } from './log.ts';

test('[V16.2.5] a message for users is not logged, because it may name a family', () => {
  const cause = new AppError('conflict', 'The draft for Quill has no lines yet.');
  const logged = JSON.stringify(serializeError(new Error('job failed', { cause })));
  expect(logged).not.toContain('Quill');
  expect(logged).toContain('conflict');
  expect(logged).toContain('log.test.ts');
});

test('[V16.2.5] the detail of a database error is not logged', () => {
  const error = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    constraint: 'login_directory_email_key',
    detail: 'Key (email)=(quill@family.example) already exists.',
  });
  expect(serializeError(error)).toMatchObject({
    code: '23505',
    constraint: 'login_directory_email_key',
    message: 'duplicate key value',
  });
  expect(JSON.stringify(serializeError(error))).not.toContain('quill');
});
