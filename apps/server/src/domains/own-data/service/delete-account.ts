import { type Deletion, type DeletionInput, GRACE_DAYS } from '@lessonbook/contract/own-data';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { putOnAgenda, settleAgenda } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { hasPassword, leave, mustBeOwner, stay } from '../../accounts/service/leaving.ts';
import { contactIn, readUser } from '../../accounts/service/profile.ts';
import { LEAVING, LEAVING_MAIL } from './leaving-job.ts';

export async function readDeletion(context: Context, tutorId: string): Promise<Deletion> {
  const { deletesAt } = await readUser(context, tutorId);
  return { deletesAt, proof: (await hasPassword(context, tutorId)) ? 'password' : 'username' };
}

/** Nothing goes yet: for two weeks everything is as it was, but nothing is sent to families by itself. */
export async function askForDeletion(
  context: Context,
  tutorId: string,
  { proof }: DeletionInput,
): Promise<Deletion> {
  await mustBeOwner(context, tutorId, proof);
  const now = context.clock.now();
  await context.db.withTutor(tutorId, async (tx) => {
    const { isDemo, leavingAt } = await contactIn(tx, tutorId);
    if (isDemo) throw new AppError('forbidden', 'The demo account cannot be deleted.');
    if (leavingAt) return;
    const at = addDays(now, GRACE_DAYS);
    await leave(tx, tutorId, at);
    await putOnAgenda(tx, tutorId, LEAVING, at);
    await audit(tx, tutorId, { act: 'deletion_asked', at: now });
    await context.queue.enqueue(tx, LEAVING_MAIL, { tutorId });
  });
  return readDeletion(context, tutorId);
}

/** Until the last moment. Once the days are over it is being done, and cannot be called back half-way. */
export async function keepAccount(context: Context, tutorId: string): Promise<Deletion> {
  const now = context.clock.now();
  await context.db.withTutor(tutorId, async (tx) => {
    const { leavingAt } = await contactIn(tx, tutorId);
    if (!leavingAt) return;
    if (leavingAt <= now) throw new AppError('conflict', 'It is too late: the account is going.');
    await stay(context, tx, tutorId);
    await settleAgenda(tx, tutorId, LEAVING, null);
    await audit(tx, tutorId, { act: 'deletion_cancelled', at: now });
  });
  return readDeletion(context, tutorId);
}
