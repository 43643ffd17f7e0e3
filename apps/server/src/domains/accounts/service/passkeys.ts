import type { PasskeyAnswer } from '@lessonbook/contract/second-factor';
import type { Passkey } from '@lessonbook/contract/security';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { randomToken } from '../../../platform/crypto.ts';
import { refusedBy } from '../../../platform/database-errors.ts';
import type { Login } from '../../../platform/http.ts';
import { askToAdd, readAdded } from '../../../platform/passkeys.ts';
import { deletePasskey, insertPasskey, passkeysOf, renamePasskey } from '../queries/passkeys.ts';
import { changeSecurity, endOthers } from './change-security.ts';
import { firstRecoveryCodes } from './codes.ts';
import { asPasskey, tidyFactors } from './factors.ts';
import { tell } from './notices.ts';
import { keepQuestion, siteOf, takeQuestion, wrongPasskey } from './passkey-questions.ts';
import { readUser } from './profile.ts';

const MOST = 10;

const adding = (login: Login) => ({ purpose: 'register' as const, holderHash: login.tokenHash });

export async function askToAddPasskey(context: Context, login: Login) {
  const site = siteOf(context);
  const user = await readUser(context, login.tutorId);
  const known = await changeSecurity(context, login, (tx) =>
    passkeysOf(tx, login.tutorId).execute(),
  );
  if (known.length >= MOST)
    throw new AppError('conflict', `There is room for ${MOST} passkeys. Please remove one first.`);
  return keepQuestion(context, adding(login), askToAdd(site, user, known));
}

export async function addPasskey(
  context: Context,
  login: Login,
  { name, answer }: { name: string; answer: PasskeyAnswer },
): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
  const { tutorId } = login;
  const now = context.clock.now();
  const challenge = await takeQuestion(context, adding(login), answer);
  const added = await readAdded(siteOf(context), answer, challenge);
  if (!added) throw wrongPasskey();
  const passkey = { ...added, tutorId, publicId: randomToken(), name, now };
  const recoveryCodes = await changeSecurity(context, login, async (tx) => {
    await insertPasskey(tx, passkey);
    await endOthers(tx, login);
    await tell(context, tx, tutorId, 'passkey-added');
    await audit(tx, tutorId, { act: 'passkey_added', at: now });
    return firstRecoveryCodes(tx, tutorId);
  }).catch((error: unknown) => {
    throw refusedBy(error) === 'passkeys_pkey' ? wrongPasskey() : error;
  });
  return { passkey: asPasskey({ ...passkey, createdAt: now, lastUsedAt: null }), recoveryCodes };
}

export async function namePasskey(
  context: Context,
  login: Login,
  id: string,
  name: string,
): Promise<void> {
  await changeSecurity(context, login, async (tx) => {
    if (!(await renamePasskey(tx, login.tutorId, id, name))) throw noPasskey();
  });
}

export async function removePasskey(context: Context, login: Login, id: string): Promise<void> {
  await changeSecurity(context, login, async (tx) => {
    if (!(await deletePasskey(tx, login.tutorId, id))) throw noPasskey();
    await tidyFactors(tx, login.tutorId);
    await tell(context, tx, login.tutorId, 'passkey-removed');
    await audit(tx, login.tutorId, { act: 'passkey_removed', at: context.clock.now() });
  });
}

const noPasskey = () => new AppError('not_found', 'That passkey was removed already.');
