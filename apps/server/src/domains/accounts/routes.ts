import { accounts } from '@lessonbook/contract/accounts';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { DEMO } from './service/demo.ts';
import { logIn, logOut } from './service/log-in.ts';
import {
  readNotificationSettings,
  readUser,
  updateNotificationSettings,
  updateProfile,
} from './service/profile.ts';
import { forgotPassword, resetPassword } from './service/reset-password.ts';
import { signUp } from './service/sign-up.ts';
import { confirmEmail, resendVerification } from './service/verify-email.ts';

export function accountRoutes(http: Http, context: Context): void {
  http.on(accounts.me, ({ login }) => readUser(context, login.tutorId));

  http.on(accounts.updateMe, ({ login, body }) => updateProfile(context, login.tutorId, body));

  http.on(accounts.signup, ({ body, visitor }) => signUp(context, body, visitor));

  http.on(accounts.login, async ({ body, visitor, setLoginCookie }) => {
    const { user, login } = await logIn(context, body, visitor);
    setLoginCookie(login);
    return user;
  });

  http.on(accounts.logout, async ({ login, setLoginCookie }) => {
    await logOut(context, login);
    setLoginCookie(null);
    return { message: 'You have been successfully logged out.' };
  });

  http.on(accounts.signInOptions, async () => ({ demo: context.config.demoAccount ? DEMO : null }));

  http.on(accounts.resendVerification, async ({ login }) => {
    await resendVerification(context, login.tutorId);
    return { message: 'The mail is on its way.' };
  });

  http.on(accounts.confirmEmail, ({ body, visitor }) => confirmEmail(context, body.token, visitor));

  http.on(accounts.forgotPassword, async ({ body, visitor }) => {
    await forgotPassword(context, body, visitor);
    return { message: 'If there is an account with that name, a mail with a link is on its way.' };
  });

  http.on(accounts.resetPassword, async ({ body, visitor }) => {
    await resetPassword(context, body, visitor);
    return { message: 'Your password was changed. Please log in with the new one.' };
  });

  http.on(accounts.notificationSettings, ({ login }) =>
    readNotificationSettings(context, login.tutorId),
  );

  http.on(accounts.updateNotificationSettings, ({ login, body }) =>
    updateNotificationSettings(context, login.tutorId, body),
  );
}
