import type { PasskeyAnswer } from '@lessonbook/contract/second-factor';
import { ApiError } from '../../lib/http.ts';

/* The device's side of passkeys. The library comes only when somebody really uses one. */

type Question = Record<string, unknown>;

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window;

export const makePasskey = (question: Question): Promise<PasskeyAnswer> =>
  asked(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    return startRegistration({ optionsJSON: question as never });
  });

export const signWithPasskey = (question: Question): Promise<PasskeyAnswer> =>
  asked(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return startAuthentication({ optionsJSON: question as never });
  });

/** Browsers do not tell why nothing came of it: mostly somebody has closed the window. */
async function asked(ask: () => Promise<unknown>): Promise<PasskeyAnswer> {
  try {
    return (await ask()) as PasskeyAnswer;
  } catch (error) {
    const known = error instanceof Error && error.name === 'InvalidStateError';
    const spoken = known ? 'This device has a passkey here already.' : 'No passkey was used.';
    throw new ApiError({ status: 400, message: spoken, spoken });
  }
}
