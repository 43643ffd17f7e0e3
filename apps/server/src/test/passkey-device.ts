import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface PasskeyOptions {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

interface Tampering {
  /** The page on which the device was asked. */
  origin?: string;
  /** Whether a finger or a number unlocked it. */
  verified?: boolean;
  /** Signed with another key than the one that was handed out. */
  forged?: boolean;
}

const sha = (data: Buffer | string) => createHash('sha256').update(data).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** A phone or a security key, as far as WebAuthn sees it: makes keys and signs with them, and bends the rules if told to. */
export class PasskeyDevice {
  readonly #origin: string;
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(20);
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get id(): string {
    return this.#id.toString('base64url');
  }

  register(question: Record<string, unknown>, bend: Tampering = {}): PasskeyResponse {
    const { challenge, rp } = question as unknown as PasskeyOptions;
    const clientDataJSON = this.#clientData('webauthn.create', challenge, bend);
    const authData = Buffer.concat([
      this.#authData(rp?.id ?? '', HAS_KEY, bend),
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
    return this.#answer({ clientDataJSON, attestationObject, transports: ['internal', '<b>'] });
  }

  sign(question: Record<string, unknown>, bend: Tampering = {}): PasskeyResponse {
    const { challenge, rpId } = question as unknown as PasskeyOptions;
    this.#counter += 1;
    const clientDataJSON = this.#clientData('webauthn.get', challenge, bend);
    const authData = this.#authData(rpId ?? '', 0, bend);
    const signed = Buffer.concat([authData, sha(Buffer.from(clientDataJSON, 'base64url'))]);
    const { privateKey } = bend.forged ? this.#other : this.#pair;
    return this.#answer({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, privateKey).toString('base64url'),
    });
  }

  #answer(response: Record<string, unknown>): PasskeyResponse {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Tampering): string {
    const data = JSON.stringify({ type, challenge, origin, crossOrigin: false });
    return Buffer.from(data).toString('base64url');
  }

  #authData(rpId: string, more: number, { verified = true }: Tampering): Buffer {
    const flags = PRESENT | (verified ? VERIFIED : 0) | more;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha(rpId), Buffer.from([flags]), counter]);
  }

  /** ES256 as COSE has it: key type 2, algorithm -7, curve 1, and the point. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' });
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
