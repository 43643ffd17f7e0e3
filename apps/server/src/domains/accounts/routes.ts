import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { linkByPassword } from './service/connect-google.ts';
import { DEMO } from './service/demo.ts';
import { comeBackFromGoogle, readVouchedFor, setOutForGoogle } from './service/google-way.ts';
import { logIn, logOut } from './service/log-in.ts';
import {
  readNotificationSettings,
  readUser,
  updateNotificationSettings,
  updateProfile,
} from './service/profile.ts';
import { forgotPassword, resetPassword } from './service/reset-password.ts';
import { signUp } from './service/sign-up.ts';
import { socialAuth } from './service/social-auth.ts';
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

  http.on(accounts.signInOptions, async () => ({
    demo: context.config.demoAccount ? DEMO : null,
    google: context.googleSignIn !== null,
  }));

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

/** Holds what a browser on its way to Google is known by. */
const GOOGLE_COOKIE = 'google';

export function googleSignInRoutes(http: Http, context: Context): void {
  http.onRedirect(googleSignIn.start, async ({ query, visitor, cookie, setCookie }) => {
    const way = await setOutForGoogle(context, query.from, cookie(GOOGLE_COOKIE), visitor);
    if (way.browser) setCookie(GOOGLE_COOKIE, way.browser);
    return way.url;
  });

  http.onRedirect(googleSignIn.callback, ({ query, cookie }) =>
    comeBackFromGoogle(context, query, cookie(GOOGLE_COOKIE)),
  );

  http.on(googleSignIn.pending, ({ cookie }) => readVouchedFor(context, cookie(GOOGLE_COOKIE)));

  http.on(googleSignIn.socialAuth, async ({ body, visitor, cookie, setCookie, setLoginCookie }) => {
    const { user, login } = await socialAuth(context, body, cookie(GOOGLE_COOKIE), visitor);
    setLoginCookie(login);
    setCookie(GOOGLE_COOKIE, null);
    return user;
  });

  http.on(googleSignIn.link, async ({ body, visitor, cookie, setCookie, setLoginCookie }) => {
    const { user, login } = await linkByPassword(context, body, cookie(GOOGLE_COOKIE), visitor);
    setLoginCookie(login);
    setCookie(GOOGLE_COOKIE, null);
    return user;
  });
}
