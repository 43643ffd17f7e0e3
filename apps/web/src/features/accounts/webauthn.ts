import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { ApiError } from '../../lib/http.ts';

/* The browser side of passkeys. Callers load this file on first use. */

type WebauthnOptions = Record<string, unknown>;

export const createPasskey = (options: WebauthnOptions): Promise<PasskeyResponse> =>
  withWebauthnErrors(() => startRegistration({ optionsJSON: options as never }));

export const signWithPasskey = (options: WebauthnOptions): Promise<PasskeyResponse> =>
  withWebauthnErrors(() => startAuthentication({ optionsJSON: options as never }));

/** Browsers do not report why the prompt failed; usually, the user has closed it. */
async function withWebauthnErrors(prompt: () => Promise<unknown>): Promise<PasskeyResponse> {
  try {
    return (await prompt()) as PasskeyResponse;
  } catch (error) {
    const isRegistered = error instanceof Error && error.name === 'InvalidStateError';
    const message = isRegistered
      ? 'This device already has a passkey for your account.'
      : 'No passkey was used.';
    throw new ApiError({ status: 400, message, userMessage: message });
  }
}
