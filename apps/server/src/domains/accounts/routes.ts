import { accounts, type User } from '@lessonbook/contract/accounts';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import type { Context } from '../../context.ts';
import { AppError } from '../../platform/app-error.ts';
import { DEVICE_COOKIE_SUFFIX } from '../../platform/http/cookies.ts';
import type { Call, HttpServer } from '../../platform/http/http-server.ts';
import { listLogins, revokeLogin, revokeOtherLogins } from './service/auth/active-logins.ts';
import { changePassword } from './service/auth/change-password.ts';
import type { LoginResult } from './service/auth/complete-login.ts';
import { logIn, logOut } from './service/auth/log-in-and-out.ts';
import {
  createReauthPasskeyOptions,
  reauthenticateWithCode,
  reauthenticateWithGoogle,
  reauthenticateWithPasskey,
  reauthenticateWithPassword,
} from './service/auth/reauthenticate.ts';
import { forgotPassword, resetPassword } from './service/auth/reset-password.ts';
import { readSecurityOverview } from './service/auth/security-overview.ts';
import { signUp } from './service/auth/sign-up.ts';
import { confirmEmail, resendVerification } from './service/auth/verify-email.ts';
import { DEMO_CREDENTIALS } from './service/create-and-replace-demo-account.ts';
import { logInWithGoogle } from './service/google/google-login.ts';
import {
  handleGoogleCallback,
  readPendingSignIn,
  startGoogleOAuth,
} from './service/google/google-oauth.ts';
import { linkGoogleWithPassword } from './service/google/link-google.ts';
import {
  regenerateRecoveryCodes,
  startAuthenticatorSetup,
  turnOffAuthenticator,
  turnOnAuthenticator,
} from './service/mfa/manage-authenticator.ts';
import {
  addPasskey,
  changePasskeyName,
  createPasskeyRegistrationOptions,
  removePasskey,
} from './service/mfa/manage-passkeys.ts';
import {
  createMfaPasskeyOptions,
  readMfaChallenge,
  verifyMfaCode,
  verifyMfaPasskey,
} from './service/mfa/mfa-login.ts';
import { createPasskeyLoginOptions, logInWithPasskey } from './service/mfa/passkey-login.ts';
import { readUser } from './service/profile/read-tutor.ts';
import {
  readNotificationSettings,
  updateNotificationSettings,
  updateProfile,
} from './service/profile/update-profile.ts';

export function accountRoutes(http: HttpServer, context: Context): void {
  http.on(accounts.me, ({ login }) => readUser(context, login.tutorId));

  http.on(accounts.updateMe, ({ login, body }) => updateProfile(context, login.tutorId, body));

  http.on(accounts.signup, ({ body, requestContext }) => signUp(context, body, requestContext));

  http.on(accounts.login, async (call) =>
    setLoginOrMfaCookie(call, await logIn(context, call.body, call.requestContext)),
  );

  http.on(accounts.logout, async ({ login, setLoginCookie }) => {
    await logOut(context, login);
    setLoginCookie(null);
    return { message: 'You have been successfully logged out.' };
  });

  http.on(accounts.signInOptions, async () => ({
    demo: context.config.demoAccount ? DEMO_CREDENTIALS : null,
    google: context.googleSignIn !== null,
    passkeys: context.config.passkeyDomain !== null,
  }));

  http.on(accounts.resendVerification, async ({ login }) => {
    await resendVerification(context, login.tutorId);
    return { message: 'The email is on its way.' };
  });

  http.on(accounts.confirmEmail, ({ body, requestContext }) =>
    confirmEmail(context, body.token, requestContext),
  );

  http.on(accounts.forgotPassword, async ({ body, requestContext }) => {
    await forgotPassword(context, body, requestContext);
    return { message: "If that account exists, we've sent an email with a link." };
  });

  http.on(accounts.resetPassword, async ({ body, requestContext, setCookie }) => {
    setCookie(DEVICE_COOKIE_SUFFIX, await resetPassword(context, body, requestContext));
    return { message: 'Your password was changed. Please log in with the new one.' };
  });

  http.on(accounts.notificationSettings, ({ login }) =>
    readNotificationSettings(context, login.tutorId),
  );

  http.on(accounts.updateNotificationSettings, ({ login, body }) =>
    updateNotificationSettings(context, login.tutorId, body),
  );
}

/** Identifies the browser during the Google OAuth redirect. */
const GOOGLE_COOKIE = 'google';

export function googleSignInRoutes(http: HttpServer, context: Context): void {
  http.onRedirect(googleSignIn.start, async ({ query, requestContext, cookie, setCookie }) => {
    const redirect = await startGoogleOAuth(
      context,
      query.from,
      cookie(GOOGLE_COOKIE),
      requestContext,
    );
    if (redirect.browserCookie) setCookie(GOOGLE_COOKIE, redirect.browserCookie);
    return redirect.url;
  });

  http.onRedirect(googleSignIn.callback, ({ query, cookie }) =>
    handleGoogleCallback(context, query, cookie(GOOGLE_COOKIE)),
  );

  http.on(googleSignIn.pending, ({ cookie }) => readPendingSignIn(context, cookie(GOOGLE_COOKIE)));

  http.on(googleSignIn.socialAuth, async (call) => {
    const { body, requestContext, cookie } = call;
    const result = await logInWithGoogle(context, body, cookie(GOOGLE_COOKIE), requestContext);
    call.setCookie(GOOGLE_COOKIE, null);
    return setLoginOrMfaCookie(call, result);
  });

  http.on(googleSignIn.link, async (call) => {
    const { body, requestContext, cookie } = call;
    const result = await linkGoogleWithPassword(
      context,
      body,
      cookie(GOOGLE_COOKIE),
      requestContext,
    );
    call.setCookie(GOOGLE_COOKIE, null);
    return setLoginOrMfaCookie(call, result);
  });
}

/** Identifies the browser between the password and the second factor; no other endpoint accepts it. */
const MFA_COOKIE = 'step';
/** Identifies the browser during a passkey login. */
const PASSKEY_COOKIE = 'passkey';

type CookieSetters = Pick<Call<Endpoint>, 'setLoginCookie' | 'setCookie'>;

/** Sets the login cookie. If a second factor is required, sets the MFA cookie and throws instead. */
function setLoginOrMfaCookie(call: CookieSetters, result: LoginResult): User {
  if ('mfaChallenge' in result) {
    call.setCookie(MFA_COOKIE, result.mfaChallenge);
    throw new AppError('second_factor_needed', "Please confirm it's you.");
  }
  call.setLoginCookie(result.login);
  return result.user;
}

export function securityRoutes(http: HttpServer, context: Context): void {
  http.on(security.security, ({ login }) => readSecurityOverview(context, login.tutorId));

  http.on(security.changePassword, async ({ login, body, requestContext, setCookie }) => {
    setCookie(
      DEVICE_COOKIE_SUFFIX,
      await changePassword(context, login, body.password, requestContext),
    );
    return { message: 'Your password was changed.' };
  });

  http.on(security.logins, ({ login }) => listLogins(context, login));

  http.on(security.revokeLogin, async ({ login, params }) => {
    await revokeLogin(context, login, params.id);
    return { message: 'That browser is logged out.' };
  });

  http.on(security.revokeOtherLogins, async ({ login }) => ({
    revoked: await revokeOtherLogins(context, login),
  }));

  // The `requires` setting of the endpoint has already made the check.
  http.on(security.checkRecentAuth, async () => REAUTHENTICATED);

  http.on(security.reauthenticateWithPassword, async ({ login, body }) => {
    await reauthenticateWithPassword(context, login, body.password);
    return REAUTHENTICATED;
  });

  http.on(mfa.reauthenticateWithCode, async ({ login, body }) => {
    await reauthenticateWithCode(context, login, body.code);
    return REAUTHENTICATED;
  });

  http.on(googleSignIn.reauthenticate, async ({ login, body, cookie }) => {
    await reauthenticateWithGoogle(context, login, body.credential, cookie(GOOGLE_COOKIE));
    return REAUTHENTICATED;
  });

  http.on(mfa.reauthenticationPasskeyOptions, ({ login }) =>
    createReauthPasskeyOptions(context, login),
  );

  http.on(mfa.reauthenticateWithPasskey, async ({ login, body }) => {
    await reauthenticateWithPasskey(context, login, body.response);
    return REAUTHENTICATED;
  });
}

const REAUTHENTICATED = { message: 'Thank you.' };

export function mfaLoginRoutes(http: HttpServer, context: Context): void {
  http.on(mfa.mfaChallenge, ({ cookie }) => readMfaChallenge(context, cookie(MFA_COOKIE)));

  http.on(
    mfa.verifyMfaCode,
    async ({ body, requestContext, cookie, setLoginCookie, setCookie }) => {
      const { user, login } = await verifyMfaCode(
        context,
        cookie(MFA_COOKIE),
        body.code,
        requestContext,
      );
      setLoginCookie(login);
      setCookie(MFA_COOKIE, null);
      return user;
    },
  );

  http.on(mfa.mfaPasskeyOptions, ({ cookie }) =>
    createMfaPasskeyOptions(context, cookie(MFA_COOKIE)),
  );

  http.on(mfa.verifyMfaPasskey, async (call) => {
    const token = call.cookie(MFA_COOKIE);
    const { response } = call.body;
    const { user, login } = await verifyMfaPasskey(context, token, response, call.requestContext);
    call.setLoginCookie(login);
    call.setCookie(MFA_COOKIE, null);
    return user;
  });

  http.on(mfa.passkeyLoginOptions, async ({ requestContext, setCookie }) => {
    const { options, browserCookie } = await createPasskeyLoginOptions(context, requestContext);
    setCookie(PASSKEY_COOKIE, browserCookie);
    return { options };
  });

  http.on(mfa.logInWithPasskey, async (call) => {
    const browser = call.cookie(PASSKEY_COOKIE);
    const { response } = call.body;
    const { user, login } = await logInWithPasskey(context, response, browser, call.requestContext);
    call.setLoginCookie(login);
    call.setCookie(PASSKEY_COOKIE, null);
    return user;
  });
}

export function mfaFactorRoutes(http: HttpServer, context: Context): void {
  http.on(mfa.startAuthenticatorSetup, ({ login }) => startAuthenticatorSetup(context, login));

  http.on(mfa.turnOnAuthenticator, async ({ login, body }) => ({
    recoveryCodes: await turnOnAuthenticator(context, login, body.code),
  }));

  http.on(mfa.turnOffAuthenticator, async ({ login }) => {
    await turnOffAuthenticator(context, login);
    return { message: 'The authenticator app is off.' };
  });

  http.on(mfa.regenerateRecoveryCodes, async ({ login }) => ({
    recoveryCodes: await regenerateRecoveryCodes(context, login),
  }));

  http.on(mfa.passkeyRegistrationOptions, ({ login }) =>
    createPasskeyRegistrationOptions(context, login),
  );

  http.on(mfa.addPasskey, ({ login, body }) => addPasskey(context, login, body));

  http.on(mfa.renamePasskey, async ({ login, params, body }) => {
    await changePasskeyName(context, login, params.id, body.name);
    return { message: 'Passkey renamed.' };
  });

  http.on(mfa.removePasskey, async ({ login, params }) => {
    await removePasskey(context, login, params.id);
    return { message: 'The passkey was removed.' };
  });
}
