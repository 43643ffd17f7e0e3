import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import { ApiError } from '../../lib/http.ts';

/* The device's side of passkeys. The library comes only when somebody really uses one. */

type WebauthnOptions = Record<string, unknown>;

export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;

export const createPasskey = (question: WebauthnOptions): Promise<PasskeyResponse> =>
  withWebauthnErrors(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    return startRegistration({ optionsJSON: question as never });
  });

export const signWithPasskey = (question: WebauthnOptions): Promise<PasskeyResponse> =>
  withWebauthnErrors(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return startAuthentication({ optionsJSON: question as never });
  });

/** Browsers do not tell why nothing came of it: mostly somebody has closed the window. */
async function withWebauthnErrors(ask: () => Promise<unknown>): Promise<PasskeyResponse> {
  try {
    return (await ask()) as PasskeyResponse;
  } catch (error) {
    const known = error instanceof Error && error.name === 'InvalidStateError';
    const spoken = known ? 'This device has a passkey here already.' : 'No passkey was used.';
    throw new ApiError({ status: 400, message: spoken, userMessage: spoken });
  }
}
