import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** An unguessable value for ids and tokens that leave the server. */
export const randomToken = (bytes = 24): string => randomBytes(bytes).toString('base64url');

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, whatever the content and length. */
export const secretsMatch = (actual: string, expected: string): boolean =>
  timingSafeEqual(sha256(actual), sha256(expected));

/** Cached, because creating a KeyObject is slower than using it. */
const keyObjects = new WeakMap<Buffer, KeyObject>();
function keyObjectFor(key: Buffer): KeyObject {
  const secret = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, secret);
  return secret;
}

/** Returns the same token for the same purpose and subject. It cannot be derived from the database without the key. */
export function deriveToken(key: Buffer, purpose: string, subject: string): string {
  return createHmac('sha256', keyObjectFor(key))
    .update(`${purpose}\n${subject}`)
    .digest('base64url');
}
