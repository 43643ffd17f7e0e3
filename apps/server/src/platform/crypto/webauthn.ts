import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';

/** `domain` is a host name, never an IP address. */
export interface RelyingParty {
  readonly domain: string;
  readonly origin: string;
}

export interface StoredPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** The options for the browser, and the challenge they contain, which the passkey must sign. */
export interface WebAuthnOptions {
  readonly options: Record<string, unknown>;
  readonly challenge: string;
}

/** The known transports; any others sent by a browser are ignored. */
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
/** Ed25519, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = 5 * 60_000;

const toCredentialDescriptors = (
  passkeys: readonly Pick<StoredPasskey, 'credentialId' | 'transports'>[],
) =>
  passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: [...transports],
  }));

/** Requests a discoverable credential with user verification; excludes devices that already have a passkey. */
export async function createRegistrationOptions(
  relyingParty: RelyingParty,
  user: { id: string; username: string; name: string },
  existing: readonly StoredPasskey[],
): Promise<WebAuthnOptions> {
  const options = await generateRegistrationOptions({
    rpName: 'Lessonbook',
    rpID: relyingParty.domain,
    userID: new TextEncoder().encode(user.id),
    userName: user.username,
    userDisplayName: user.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: toCredentialDescriptors(existing),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options }, challenge: options.challenge };
}

/** Accepts one of these passkeys, or any passkey for this site if the list is empty. */
export async function createAuthenticationOptions(
  relyingParty: RelyingParty,
  allowed: readonly StoredPasskey[],
): Promise<WebAuthnOptions> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.domain,
    allowCredentials: toCredentialDescriptors(allowed),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });
  return { options: { ...options }, challenge: options.challenge };
}

/** Returns the challenge in the response, before it is verified; '' if it cannot be parsed. */
export function readChallenge(response: PasskeyResponse): string {
  try {
    const { challenge } = decodeClientDataJSON(String(response.response['clientDataJSON']));
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** Returns the new passkey, or null if the response is invalid or lacks user verification. */
export async function verifyRegistration(
  relyingParty: RelyingParty,
  response: PasskeyResponse,
  challenge: string,
): Promise<StoredPasskey | null> {
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.domain,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  // The contract limits the id in the response; the authenticator data could contain a different one of any length.
  if (credential.id !== response.id) return null;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).filter((each) => TRANSPORTS.has(each)),
  };
}

/**
 * Returns the new counter, or null if the response is from another passkey, for another site, or lacks user
 * verification.
 */
export async function verifyAuthentication(
  relyingParty: RelyingParty,
  response: PasskeyResponse,
  challenge: string,
  passkey: StoredPasskey,
): Promise<number | null> {
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.domain,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: [...passkey.transports],
    },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}
