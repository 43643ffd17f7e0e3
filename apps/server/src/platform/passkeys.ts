import type { PasskeyAnswer } from '@lessonbook/contract/second-factor';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';

/** The site that passkeys belong to: a name, never an address of numbers. */
export interface Site {
  readonly domain: string;
  readonly origin: string;
}

export interface KnownPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** What is sent to the browser, and the challenge in it, which must come back signed. */
export interface Question {
  readonly question: Record<string, unknown>;
  readonly challenge: string;
}

/** Ways to reach a device; what else a browser says is left out. */
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
/** Ed25519, ES256, RS256: what devices have. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = 5 * 60_000;

const listed = (keys: readonly Pick<KnownPasskey, 'credentialId' | 'transports'>[]) =>
  keys.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }));

/** A new key for this person, kept by the device and guarded by its lock; the same device is not asked twice. */
export async function askToAdd(
  site: Site,
  person: { id: string; username: string; name: string },
  known: readonly KnownPasskey[],
): Promise<Question> {
  const options = await generateRegistrationOptions({
    rpName: 'Lessonbook',
    rpID: site.domain,
    userID: new TextEncoder().encode(person.id),
    userName: person.username,
    userDisplayName: person.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: listed(known),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { question: { ...options }, challenge: options.challenge };
}

/** A signature by one of these keys, or by any that the device has for this site. */
export async function askToSign(site: Site, known: readonly KnownPasskey[]): Promise<Question> {
  const options = await generateAuthenticationOptions({
    rpID: site.domain,
    allowCredentials: listed(known),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });
  return { question: { ...options }, challenge: options.challenge };
}

/** What this answer claims to have signed; '' when it cannot be read. */
export function challengeIn(answer: PasskeyAnswer): string {
  try {
    const { challenge } = decodeClientDataJSON(String(answer.response['clientDataJSON']));
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** The new key; null when the answer is none, or was given without the device's lock. */
export async function readAdded(
  site: Site,
  answer: PasskeyAnswer,
  challenge: string,
): Promise<KnownPasskey | null> {
  const verified = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.domain,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).filter((each) => TRANSPORTS.has(each)),
  };
}

/** The key's new counter; null when the signature is not by this key, not for this site, or without the device's lock. */
export async function readSigned(
  site: Site,
  answer: PasskeyAnswer,
  challenge: string,
  key: KnownPasskey,
): Promise<number | null> {
  const verified = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.domain,
    credential: {
      id: key.credentialId,
      publicKey: new Uint8Array(key.publicKey),
      counter: key.counter,
      transports: [...key.transports],
    },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}
