import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt, encrypt, needsReencryption } from './encryption.ts';

const older = { name: 'k1', key: randomBytes(32) };
const newer = { name: 'k2', key: randomBytes(32) };

test('[V11.3.2] what is sealed opens again, and looks different each time', () => {
  const sealed = encrypt([older], 'a refresh token', 'tutor 1');
  expect(decrypt([older], sealed, 'tutor 1')).toBe('a refresh token');
  expect(encrypt([older], 'a refresh token', 'tutor 1')).not.toBe(sealed);
  expect(sealed).not.toContain('refresh');
});

test("a row copied to another tutor's does not open there", () => {
  const sealed = encrypt([older], 'secret', 'tutor 1');
  expect(() => decrypt([older], sealed, 'tutor 2')).toThrow();
});

test('[V11.3.3] one touched bit anywhere, and it does not open', () => {
  const sealed = encrypt([older], 'secret', 'tutor 1');
  const [name = '', body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const touched = Buffer.from(bytes);
    touched.writeUInt8(touched.readUInt8(at) ^ 1, at);
    const forged = `${name}.${touched.toString('base64url')}`;
    expect(() => decrypt([older], forged, 'tutor 1')).toThrow();
  }
  expect(() => decrypt([older], `${name}.${body.slice(0, 20)}`, 'tutor 1')).toThrow();
});

test('[V11.2.2] a new key seals from now on, the old one still opens what it sealed, until it is taken out', () => {
  const sealed = encrypt([older], 'secret', 'tutor 1');
  const both = [newer, older];
  expect(decrypt(both, sealed, 'tutor 1')).toBe('secret');
  expect(needsReencryption(both, sealed)).toBe(true);
  const again = encrypt(both, 'secret', 'tutor 1');
  expect(needsReencryption(both, again)).toBe(false);
  expect(decrypt([newer], again, 'tutor 1')).toBe('secret');
  expect(() => decrypt([newer], sealed, 'tutor 1')).toThrow('k1');
});

test('the key name is bound in: a key renamed in the configuration opens nothing', () => {
  const sealed = encrypt([older], 'secret', 'tutor 1');
  const renamed = { name: 'k9', key: older.key };
  expect(() => decrypt([renamed], sealed.replace('k1', 'k9'), 'tutor 1')).toThrow();
});
