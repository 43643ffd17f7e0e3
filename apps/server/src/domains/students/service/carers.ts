import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type { Carer } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import {
  carersPage,
  carersWithStudents,
  hasCarer,
  insertCarer,
  updateCarer,
} from '../queries/carers.ts';
import type { CarerChange, CarerDetails } from '../rules/carer-change.ts';

export async function listCarers(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Carer[]> {
  const [carers] = await context.db.tutorRead(tutorId, (tx) => [carersPage(tx, tutorId, page)]);
  return carers;
}

export const getCarers = (tx: Tx, tutorId: string): Promise<Carer[]> =>
  carersWithStudents(tx, tutorId).execute();

/** Returns the id of the student's carer. */
export async function applyCarerChange(
  tx: Tx,
  tutorId: string,
  carerChange: CarerChange,
  now: Date,
): Promise<number | null> {
  if (carerChange.kind === 'none') return null;
  if (carerChange.kind === 'missing_name')
    throw new AppError('invalid', CARER_NAME_REQUIRED, {
      fields: { carerName: CARER_NAME_REQUIRED },
    });
  if (carerChange.kind === 'new') return addCarer(tx, tutorId, carerChange.carer, now);
  await changeCarer(tx, tutorId, carerChange.carerId, carerChange.change);
  return carerChange.carerId;
}

const CARER_NAME_REQUIRED = 'Carer name is required';

async function addCarer(tx: Tx, tutorId: string, carer: CarerDetails, now: Date): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'carer')) as [number];
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
