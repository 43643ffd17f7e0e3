import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { putOnAgenda } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import type { Login } from '../../../platform/http.ts';
import { newSecret, secretUri } from '../../../platform/one-time-codes.ts';
import { seal } from '../../../platform/sealing.ts';
import {
  confirmAuthenticator,
  deleteAuthenticator,
  putNewAuthenticator,
} from '../queries/factors.ts';
import { changeSecurity, endOthers } from './change-security.ts';
import { firstRecoveryCodes, renewRecoveryCodes, spendAppCode } from './codes.ts';
import { hasSecondFactor, tidyFactors } from './factors.ts';
import { tell } from './notices.ts';
import { RESEAL } from './reseal.ts';
import { wrongCode } from './second-step.ts';

/** A secret for the app, which nobody is asked for until a first code has shown that the app has it. */
export async function beginAuthenticator(
  context: Context,
  login: Login,
): Promise<{ secret: string; uri: string }> {
  const { sealingKeys } = context.config;
  if (sealingKeys.length === 0) throw new AppError('not_found', 'There is nothing here.');
  const secret = newSecret();
  return changeSecurity(context, login, async (tx, entry) => {
    const sealed = seal(sealingKeys, secret, login.tutorId);
    if (!(await putNewAuthenticator(tx, login.tutorId, sealed, context.clock.now())))
      throw new AppError('conflict', 'The authenticator app is on already.');
    return { secret, uri: secretUri(secret, entry.email) };
  });
}

export async function turnOnAuthenticator(
  context: Context,
  login: Login,
  code: string,
): Promise<string[]> {
  return changeSecurity(context, login, async (tx) => {
    const { tutorId } = login;
    if (!(await spendAppCode(context, tx, tutorId, code, 'new'))) throw wrongCode();
    const now = context.clock.now();
    await confirmAuthenticator(tx, tutorId, now);
    await putOnAgenda(tx, tutorId, RESEAL, addDays(now, 1));
    await endOthers(tx, login);
    await tell(context, tx, tutorId, 'authenticator-on');
    await audit(tx, tutorId, { act: 'second_factor_on', at: now });
    return firstRecoveryCodes(tx, tutorId);
  });
}

export async function turnOffAuthenticator(context: Context, login: Login): Promise<void> {
  await changeSecurity(context, login, async (tx) => {
    if (!(await deleteAuthenticator(tx, login.tutorId)))
      throw new AppError('not_found', 'The authenticator app is off already.');
    await tidyFactors(tx, login.tutorId);
    await tell(context, tx, login.tutorId, 'authenticator-off');
    await audit(tx, login.tutorId, { act: 'second_factor_off', at: context.clock.now() });
  });
}

export async function newRecoveryCodes(context: Context, login: Login): Promise<string[]> {
  return changeSecurity(context, login, async (tx) => {
    if (!(await hasSecondFactor(tx, login.tutorId)))
      throw new AppError('conflict', 'Recovery codes come with a passkey or an authenticator app.');
    await tell(context, tx, login.tutorId, 'recovery-codes-new');
    await audit(tx, login.tutorId, { act: 'recovery_codes_new', at: context.clock.now() });
    return renewRecoveryCodes(tx, login.tutorId);
  });
}
