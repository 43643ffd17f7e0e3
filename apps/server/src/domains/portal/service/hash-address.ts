import { sha256 } from '../../../platform/crypto/tokens.ts';

/** As the trigger of `contacts` computes it. */
export const hashAddress = (address: string): Buffer => sha256(address.trim().toLowerCase());
