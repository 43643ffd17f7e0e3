import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The first key in a list is used to encrypt; any of them can decrypt. */
export interface EncryptionKey {
  readonly name: string;
  readonly key: Buffer;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets for storage in the database. `owner` is authenticated, so a value copied to another tutor's row
 * cannot be decrypted.
 */
export function encrypt(keys: readonly EncryptionKey[], secret: string, owner: string): string {
  const [current] = keys;
  if (!current) throw new Error('No encryption key is configured');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, current.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(current.name, owner));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${current.name}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
}

/** Throws if the key is unknown, the owner differs or the value was modified. */
export function decrypt(keys: readonly EncryptionKey[], encrypted: string, owner: string): string {
  const [name = '', body = ''] = encrypted.split('.');
  const known = keys.find((key) => key.name === name);
  if (!known) throw new Error(`The encryption key "${name}" is not configured`);
  const bytes = Buffer.from(body, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, known.key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(name, owner));
  decipher.setAuthTag(tag);
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

/** Whether the value was encrypted with an older key. */
export const needsReencryption = (keys: readonly EncryptionKey[], encrypted: string): boolean =>
  !encrypted.startsWith(`${keys[0]?.name}.`);

const associatedData = (name: string, owner: string): Buffer => Buffer.from(`${name}\n${owner}`);

/** Parses a comma-separated list of `name:base64` keys. */
export const parseEncryptionKeys = (list: string): EncryptionKey[] =>
  list
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [name = '', key = ''] = entry.trim().split(':');
      return { name, key: Buffer.from(key, 'base64') };
    });

export function isEncryptionKeyList(list: string): boolean {
  const keys = parseEncryptionKeys(list);
  return keys.length > 0 && keys.every(({ name, key }) => /^\w+$/.test(name) && key.length === 32);
}
