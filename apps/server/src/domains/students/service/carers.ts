import type { Carer } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { carersWithStudents, hasCarer, insertCarer, updateCarer } from '../queries/carers.ts';
import type { CarerDetails, CarerPlan } from '../rules/carer.ts';
import { compareByName } from '../rules/name-collation.ts';

export async function listCarers(context: Context, tutorId: string): Promise<Carer[]> {
  const [carers] = await context.db.tutorRead(tutorId, (tx) => [carersWithStudents(tx, tutorId)]);
  return carers.toSorted(compareByName);
}

export const getCarers = (tx: Tx, tutorId: string): Promise<Carer[]> =>
  carersWithStudents(tx, tutorId).execute();

/** Returns the id of the student's carer. */
export async function applyCarerPlan(
  tx: Tx,
  tutorId: string,
  plan: CarerPlan,
  now: Date,
): Promise<number | null> {
  if (plan.kind === 'none') return null;
  if (plan.kind === 'missing_name')
    throw new AppError('invalid', CARER_NAME_REQUIRED, {
      fields: { carerName: CARER_NAME_REQUIRED },
    });
  if (plan.kind === 'new') return addCarer(tx, tutorId, plan.carer, now);
  await changeCarer(tx, tutorId, plan.carerId, plan.change);
  return plan.carerId;
}

const CARER_NAME_REQUIRED = 'Carer name is required';

async function addCarer(tx: Tx, tutorId: string, carer: CarerDetails, now: Date): Promise<number> {
  const [id] = (await nextIds(tx, tutorId, 'carer')) as [number];
  await insertCarer(tx, tutorId, { id, publicId: randomToken(), ...carer, now });
  return id;
}

async function changeCarer(
  tx: Tx,
  tutorId: string,
  id: number,
  change: Partial<CarerDetails>,
): Promise<void> {
  if (!(await hasCarer(tx, tutorId, id)))
    throw new AppError('not_found', 'That carer is not in your book.');
  if (Object.keys(change).length > 0) await updateCarer(tx, tutorId, id, change);
}
