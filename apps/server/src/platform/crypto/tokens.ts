import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** What leaves the database for the outside: unguessable, and says nothing about order or number. */
export const randomToken = (bytes = 24): string => randomBytes(bytes).toString('base64url');

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes the same time wherever they differ, and however long they are. */
export const isEqualSecret = (given: string, ours: string): boolean =>
  timingSafeEqual(sha256(given), sha256(ours));

/** Making a key of the bytes takes longer than using it. */
const keyObjects = new WeakMap<Buffer, KeyObject>();
function keyObjectFor(key: Buffer): KeyObject {
  const secret = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, secret);
  return secret;
}

/** Always the same token for the same purpose and subject; useless to a reader of the database without the key. */
export function deriveToken(key: Buffer, purpose: string, subject: string): string {
  return createHmac('sha256', keyObjectFor(key))
    .update(`${purpose}\n${subject}`)
    .digest('base64url');
}

/** Version 7: leads with the time, so that new tutors' rows land side by side in every index. */
export function uuidV7(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
