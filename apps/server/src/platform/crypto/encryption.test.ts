import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt, encrypt, needsReencryption } from './encryption.ts';

const older = { name: 'k1', key: randomBytes(32) };
const newer = { name: 'k2', key: randomBytes(32) };

test('[V11.3.2] an encrypted value can be decrypted, and the ciphertext differs each time', () => {
  const encrypted = encrypt([older], 'a refresh token', 'tutor 1');
  expect(decrypt([older], encrypted, 'tutor 1')).toBe('a refresh token');
  expect(encrypt([older], 'a refresh token', 'tutor 1')).not.toBe(encrypted);
  expect(encrypted).not.toContain('refresh');
});

test("a value copied to another tutor's row cannot be decrypted", () => {
  const encrypted = encrypt([older], 'secret', 'tutor 1');
  expect(() => decrypt([older], encrypted, 'tutor 2')).toThrow();
});

test('[V11.3.3] a single changed bit makes decryption fail', () => {
  const encrypted = encrypt([older], 'secret', 'tutor 1');
  const [name = '', body = ''] = encrypted.split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    const forged = `${name}.${changed.toString('base64url')}`;
    expect(() => decrypt([older], forged, 'tutor 1')).toThrow();
  }
  expect(() => decrypt([older], `${name}.${body.slice(0, 20)}`, 'tutor 1')).toThrow();
});

test('[V11.2.2] a new first key is used to encrypt, and the old key still decrypts until it is removed', () => {
  const encrypted = encrypt([older], 'secret', 'tutor 1');
  const both = [newer, older];
  expect(decrypt(both, encrypted, 'tutor 1')).toBe('secret');
  expect(needsReencryption(both, encrypted)).toBe(true);
  const rotated = encrypt(both, 'secret', 'tutor 1');
  expect(needsReencryption(both, rotated)).toBe(false);
  expect(decrypt([newer], rotated, 'tutor 1')).toBe('secret');
  expect(() => decrypt([newer], encrypted, 'tutor 1')).toThrow('k1');
});

test('the key name is authenticated: decryption fails if it is changed', () => {
  const encrypted = encrypt([older], 'secret', 'tutor 1');
  const renamed = { name: 'k9', key: older.key };
  expect(() => decrypt([renamed], encrypted.replace('k1', 'k9'), 'tutor 1')).toThrow();
});
