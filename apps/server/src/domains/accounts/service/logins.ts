import type { LoginRow } from '@lessonbook/contract/security';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { deviceInWords } from '../../../platform/device.ts';
import type { Login } from '../../../platform/http.ts';
import { deleteOneLogin, loginsOf } from '../queries/logins.ts';
import { directoryEntry } from '../queries/tutors.ts';
import { changeSecurity, endOthers } from './change-security.ts';

/** Where the tutor is logged in, this browser first. In the demo everyone sees themselves alone. */
export async function listLogins(context: Context, login: Login): Promise<LoginRow[]> {
  const { db, clock } = context;
  const entry = await directoryEntry(db.global, login.tutorId).executeTakeFirstOrThrow();
  const rows = await loginsOf(db.global, login.tutorId, clock.now()).execute();
  const all = rows.map((row) => ({
    id: row.publicId,
    device: deviceInWords(row.userAgent),
    isThis: row.tokenHash.equals(login.tokenHash),
    firstSeenAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }));
  const [own, others] = [all.filter(({ isThis }) => isThis), all.filter(({ isThis }) => !isThis)];
  return entry.isDemo ? own : [...own, ...others];
}

export async function endLogin(context: Context, login: Login, id: string): Promise<void> {
  await changeSecurity(context, login, async (tx) => {
    const ended = await deleteOneLogin(tx, login.tutorId, id);
    if (!ended) throw new AppError('not_found', 'That login has ended already.');
  });
}

export const endOtherLogins = (context: Context, login: Login): Promise<number> =>
  changeSecurity(context, login, async (tx) => {
    const ended = await endOthers(tx, login);
    await audit(tx, login.tutorId, { act: 'logins_ended', at: context.clock.now() });
    return ended;
  });
