import { sha256 } from '../../../platform/crypto/tokens.ts';

/** Must match the hash that the trigger on `contacts` computes. */
export const hashAddress = (address: string): Buffer => sha256(address.trim().toLowerCase());
