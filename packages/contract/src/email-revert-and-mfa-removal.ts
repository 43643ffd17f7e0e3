import * as z from 'zod/mini';
import { emailToken, ForgotPasswordInput, MessageReply } from './accounts.ts';
import { defineEndpoints } from './endpoint.ts';

/* Ways to regain access to an account whose email address was changed by someone else, or whose second factors are lost. */

export const accountRecovery = defineEndpoints({
  revertEmail: {
    method: 'POST',
    path: '/api/email-revert',
    access: 'public',
    summary: 'Restore the previous email address with the emailed token; all logins are revoked',
    body: z.object({ token: emailToken }),
    /** The old password no longer works; this token sets a new one. */
    reply: z.object({ email: z.string(), resetToken: z.string() }),
  },
  requestMfaRemoval: {
    method: 'POST',
    path: '/api/mfa-removal',
    access: 'public',
    summary: 'Request the link that starts the removal of two-step login',
    body: ForgotPasswordInput,
    reply: MessageReply,
    status: 202,
  },
  startMfaRemoval: {
    method: 'POST',
    path: '/api/mfa-removal/start',
    access: 'public',
    summary: 'Start the waiting time after which two-step login is removed, with the emailed token',
    body: z.object({ token: emailToken }),
    reply: z.object({ removalAt: z.string() }),
  },
  cancelMfaRemoval: {
    method: 'POST',
    path: '/api/mfa-removal/cancel',
    access: 'public',
    summary: 'Cancel the removal of two-step login with the emailed token',
    body: z.object({ token: emailToken }),
    reply: MessageReply,
  },
  cancelOwnMfaRemoval: {
    method: 'DELETE',
    path: '/api/mfa-removal',
    access: 'login',
    summary: 'Cancel the removal of two-step login',
    reply: MessageReply,
  },
  completeAccessReview: {
    method: 'POST',
    path: '/api/access-review/complete',
    access: 'login',
    summary: 'Record that the tutor has reviewed what has access to the account',
    reply: MessageReply,
  },
  unlinkGoogle: {
    method: 'DELETE',
    path: '/api/social-auth',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Disconnect Google sign-in',
    reply: MessageReply,
  },
});
