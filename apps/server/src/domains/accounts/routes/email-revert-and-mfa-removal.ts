import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import type { Context } from '../../../context.ts';
import type { HttpServer } from '../../../platform/http/http-server.ts';
import { revertEmail } from '../service/auth/revert-email.ts';
import { completeAccessReview } from '../service/auth/revoke-access.ts';
import { unlinkGoogle } from '../service/google/unlink-google.ts';
import {
  cancelMfaRemovalByLink,
  cancelOwnMfaRemoval,
  requestMfaRemoval,
  startMfaRemoval,
} from '../service/mfa/mfa-removal.ts';

export function accountRecoveryRoutes(http: HttpServer, context: Context): void {
  http.on(accountRecovery.revertEmail, ({ body, requestContext }) =>
    revertEmail(context, body.token, requestContext),
  );

  http.on(accountRecovery.requestMfaRemoval, async ({ body, requestContext }) => {
    await requestMfaRemoval(context, body, requestContext);
    return {
      message: 'If that account uses two-step login, an email with a link is on its way.',
    };
  });

  http.on(accountRecovery.startMfaRemoval, ({ body, requestContext }) =>
    startMfaRemoval(context, body.token, requestContext),
  );

  http.on(accountRecovery.cancelMfaRemoval, async ({ body, requestContext }) => {
    await cancelMfaRemovalByLink(context, body.token, requestContext);
    return { message: 'Two-step login stays on.' };
  });

  http.on(accountRecovery.cancelOwnMfaRemoval, async ({ login }) => {
    await cancelOwnMfaRemoval(context, login);
    return { message: 'Two-step login stays on.' };
  });

  http.on(accountRecovery.completeAccessReview, async ({ login }) => {
    await completeAccessReview(context, login);
    return { message: 'Thank you.' };
  });

  http.on(accountRecovery.unlinkGoogle, async ({ login }) => {
    await unlinkGoogle(context, login);
    return { message: 'Google sign-in is disconnected.' };
  });
}
