import type { EntryPage, SocialAuthInput, VouchedFor } from '@lessonbook/contract/google-sign-in';
import { ApiError } from '../../lib/http.ts';

/**
 * What is sent to come in as whom Google has vouched for. The server reads all of it from its own record of that and
 * believes the credential alone; the rest is sent because the specification sends it.
 */
export function socialAuthBody(
  person: VouchedFor | null,
  from: EntryPage,
  now: Date,
): SocialAuthInput {
  if (!person) {
    const message = 'No user returned from Google';
    throw new ApiError({ status: 404, message, spoken: message });
  }
  const { credential, name, email, providerId, photoURL } = person;
  const withoutEmail = from === 'login' ? `user_${now.getTime()}` : '';
  return {
    credential,
    name,
    email,
    username: email ? (email.split('@')[0] ?? '') : withoutEmail,
    providerId,
    photoURL,
    authProvider: from === 'login' ? 'firebase' : 'google',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
