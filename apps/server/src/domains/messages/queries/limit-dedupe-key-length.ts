import { sha256 } from '../../../platform/crypto/tokens.ts';

/** Well below the largest value that a unique index accepts, about 2,700 bytes. */
const MAX_LENGTH = 400;

/** Replaces a key that is too long for the unique index, such as one with hundreds of ids, with its first word and a hash. */
export const limitDedupeKey = (key: string): string =>
  key.length <= MAX_LENGTH
    ? key
    : `${key.slice(0, key.indexOf(' ') + 1).slice(-50)}${sha256(key).toString('base64url')}`;
