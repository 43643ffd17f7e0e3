import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface PasskeyOptions {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

interface Tampering {
  /** The origin in the client data. */
  origin?: string;
  /** The user verification flag. */
  verified?: boolean;
  /** Signs with a key that is not the registered one. */
  forged?: boolean;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL_DATA = 0x40;

/** A WebAuthn authenticator that creates a key and signs with it. It can also produce invalid responses. */
export class PasskeyDevice {
  readonly #origin: string;
  readonly #keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #forgedKeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(20);
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get id(): string {
    return this.#id.toString('base64url');
  }

  register(options: Record<string, unknown>, tampering: Tampering = {}): PasskeyResponse {
    const { challenge, rp } = options as unknown as PasskeyOptions;
    const clientDataJSON = this.#clientData('webauthn.create', challenge, tampering);
    const authData = Buffer.concat([
      this.#authData(rp?.id ?? '', HAS_CREDENTIAL_DATA, tampering),
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      this.#coseKey(),
    ]);
    const attestationObject = Buffer.from(
      isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]) as never,
      ),
    ).toString('base64url');
    return this.#toResponse({ clientDataJSON, attestationObject, transports: ['internal', '<b>'] });
  }

  sign(options: Record<string, unknown>, tampering: Tampering = {}): PasskeyResponse {
    const { challenge, rpId } = options as unknown as PasskeyOptions;
    this.#counter += 1;
    const clientDataJSON = this.#clientData('webauthn.get', challenge, tampering);
    const authData = this.#authData(rpId ?? '', 0, tampering);
    const signedData = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const { privateKey } = tampering.forged ? this.#forgedKeyPair : this.#keyPair;
    return this.#toResponse({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signedData, privateKey).toString('base64url'),
    });
  }

  #toResponse(response: Record<string, unknown>): PasskeyResponse {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Tampering): string {
    const data = JSON.stringify({ type, challenge, origin, crossOrigin: false });
    return Buffer.from(data).toString('base64url');
  }

  #authData(rpId: string, extraFlags: number, { verified = true }: Tampering): Buffer {
    const flags = USER_PRESENT | (verified ? USER_VERIFIED : 0) | extraFlags;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }

  /** The ES256 public key in COSE format: key type 2, algorithm -7, curve 1 and the point. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keyPair.publicKey.export({ format: 'jwk' });
    const point = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]);
    return Buffer.from(isoCBOR.encode(key as never));
  }
}
