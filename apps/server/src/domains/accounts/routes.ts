import { accounts, type User } from '@lessonbook/contract/accounts';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { secondFactor } from '@lessonbook/contract/second-factor';
import { security } from '@lessonbook/contract/security';
import type { Context } from '../../context.ts';
import { AppError } from '../../platform/app-error.ts';
import { DEVICE_COOKIE } from '../../platform/cookies.ts';
import type { Call, Http } from '../../platform/http.ts';
import {
  beginAuthenticator,
  newRecoveryCodes,
  turnOffAuthenticator,
  turnOnAuthenticator,
} from './service/authenticator.ts';
import { changePassword } from './service/change-password.ts';
import type { Entrance } from './service/come-in.ts';
import {
  askToConfirm,
  confirmByCode,
  confirmByPasskey,
  confirmByPassword,
} from './service/confirm.ts';
import { linkByPassword } from './service/connect-google.ts';
import { DEMO } from './service/demo.ts';
import { readSecurity } from './service/factors.ts';
import { comeBackFromGoogle, readVouchedFor, setOutForGoogle } from './service/google-way.ts';
import { logIn, logOut } from './service/log-in.ts';
import { endLogin, endOtherLogins, listLogins } from './service/logins.ts';
import { askPasskey, logInByPasskey } from './service/passkey-login.ts';
import { addPasskey, askToAddPasskey, namePasskey, removePasskey } from './service/passkeys.ts';
import {
  readNotificationSettings,
  readUser,
  updateNotificationSettings,
  updateProfile,
} from './service/profile.ts';
import { forgotPassword, resetPassword } from './service/reset-password.ts';
import {
  askSecondPasskey,
  giveCode,
  giveSecondPasskey,
  readSecondStep,
} from './service/second-step.ts';
import { signUp } from './service/sign-up.ts';
import { socialAuth } from './service/social-auth.ts';
import { confirmEmail, resendVerification } from './service/verify-email.ts';

export function accountRoutes(http: Http, context: Context): void {
  http.on(accounts.me, ({ login }) => readUser(context, login.tutorId));

  http.on(accounts.updateMe, ({ login, body }) => updateProfile(context, login, body));

  http.on(accounts.signup, ({ body, visitor }) => signUp(context, body, visitor));

  http.on(accounts.login, async (call) =>
    letIn(call, await logIn(context, call.body, call.visitor)),
  );

  http.on(accounts.logout, async ({ login, setLoginCookie }) => {
    await logOut(context, login);
    setLoginCookie(null);
    return { message: 'You have been successfully logged out.' };
  });

  http.on(accounts.signInOptions, async () => ({
    demo: context.config.demoAccount ? DEMO : null,
    google: context.googleSignIn !== null,
    passkeys: context.config.passkeyDomain !== null,
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

  http.on(googleSignIn.socialAuth, async (call) => {
    const { body, visitor, cookie } = call;
    const entrance = await socialAuth(context, body, cookie(GOOGLE_COOKIE), visitor);
    call.setCookie(GOOGLE_COOKIE, null);
    return letIn(call, entrance);
  });

  http.on(googleSignIn.link, async (call) => {
    const { body, visitor, cookie } = call;
    const entrance = await linkByPassword(context, body, cookie(GOOGLE_COOKIE), visitor);
    call.setCookie(GOOGLE_COOKIE, null);
    return letIn(call, entrance);
  });
}

/** Holds what a browser is known by between the password and the second factor: nothing that any other call takes. */
const STEP_COOKIE = 'step';
/** Holds what a browser is known by that asks a device for a passkey. */
const PASSKEY_COOKIE = 'passkey';

type Entering = Pick<Call<Endpoint>, 'setLoginCookie' | 'setCookie'>;

/** Puts the login into the browser; or, where a second factor is to come, what this browser is known by there. */
function letIn(call: Entering, entrance: Entrance): User {
  if ('step' in entrance) {
    call.setCookie(STEP_COOKIE, entrance.step);
    throw new AppError('second_factor_needed', 'Please confirm that it is you.');
  }
  call.setLoginCookie(entrance.login);
  return entrance.user;
}

export function securityRoutes(http: Http, context: Context): void {
  http.on(security.security, ({ login }) => readSecurity(context, login.tutorId));

  http.on(security.changePassword, async ({ login, body, visitor, setCookie }) => {
    setCookie(DEVICE_COOKIE, await changePassword(context, login, body.password, visitor));
    return { message: 'Your password was changed.' };
  });

  http.on(security.logins, ({ login }) => listLogins(context, login));

  http.on(security.endLogin, async ({ login, params }) => {
    await endLogin(context, login, params.id);
    return { message: 'That browser is logged out.' };
  });

  http.on(security.endOtherLogins, async ({ login }) => ({
    ended: await endOtherLogins(context, login),
  }));

  http.on(security.confirmByPassword, async ({ login, body }) => {
    await confirmByPassword(context, login, body.password);
    return CONFIRMED;
  });

  http.on(secondFactor.confirmByCode, async ({ login, body }) => {
    await confirmByCode(context, login, body.code);
    return CONFIRMED;
  });

  http.on(secondFactor.askToConfirm, ({ login }) => askToConfirm(context, login));

  http.on(secondFactor.confirmByPasskey, async ({ login, body }) => {
    await confirmByPasskey(context, login, body.answer);
    return CONFIRMED;
  });
}

const CONFIRMED = { message: 'Thank you.' };

export function secondStepRoutes(http: Http, context: Context): void {
  http.on(secondFactor.secondStep, ({ cookie }) => readSecondStep(context, cookie(STEP_COOKIE)));

  http.on(secondFactor.giveCode, async ({ body, visitor, cookie, setLoginCookie, setCookie }) => {
    const { user, login } = await giveCode(context, cookie(STEP_COOKIE), body.code, visitor);
    setLoginCookie(login);
    setCookie(STEP_COOKIE, null);
    return user;
  });

  http.on(secondFactor.askSecondPasskey, ({ cookie }) =>
    askSecondPasskey(context, cookie(STEP_COOKIE)),
  );

  http.on(secondFactor.giveSecondPasskey, async (call) => {
    const token = call.cookie(STEP_COOKIE);
    const { answer } = call.body;
    const { user, login } = await giveSecondPasskey(context, token, answer, call.visitor);
    call.setLoginCookie(login);
    call.setCookie(STEP_COOKIE, null);
    return user;
  });

  http.on(secondFactor.askPasskey, async ({ visitor, setCookie }) => {
    const { question, browser } = await askPasskey(context, visitor);
    setCookie(PASSKEY_COOKIE, browser);
    return { question };
  });

  http.on(secondFactor.logInByPasskey, async (call) => {
    const browser = call.cookie(PASSKEY_COOKIE);
    const { answer } = call.body;
    const { user, login } = await logInByPasskey(context, answer, browser, call.visitor);
    call.setLoginCookie(login);
    call.setCookie(PASSKEY_COOKIE, null);
    return user;
  });
}

export function factorRoutes(http: Http, context: Context): void {
  http.on(secondFactor.beginAuthenticator, ({ login }) => beginAuthenticator(context, login));

  http.on(secondFactor.turnOnAuthenticator, async ({ login, body }) => ({
    recoveryCodes: await turnOnAuthenticator(context, login, body.code),
  }));

  http.on(secondFactor.turnOffAuthenticator, async ({ login }) => {
    await turnOffAuthenticator(context, login);
    return { message: 'The authenticator app is off.' };
  });

  http.on(secondFactor.newRecoveryCodes, async ({ login }) => ({
    recoveryCodes: await newRecoveryCodes(context, login),
  }));

  http.on(secondFactor.askToAddPasskey, ({ login }) => askToAddPasskey(context, login));

  http.on(secondFactor.addPasskey, ({ login, body }) => addPasskey(context, login, body));

  http.on(secondFactor.renamePasskey, async ({ login, params, body }) => {
    await namePasskey(context, login, params.id, body.name);
    return { message: 'The passkey has a new name.' };
  });

  http.on(secondFactor.removePasskey, async ({ login, params }) => {
    await removePasskey(context, login, params.id);
    return { message: 'The passkey was removed.' };
  });
}
