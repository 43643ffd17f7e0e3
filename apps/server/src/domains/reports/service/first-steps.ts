import type { FirstSteps } from '@lessonbook/contract/reports';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { firstSteps } from '../queries/first-steps.ts';

export async function readFirstSteps(context: Context, tutorId: string): Promise<FirstSteps> {
  const [[steps]] = await context.db.readTutor(tutorId, (tx) => [firstSteps(tx, tutorId)]);
  if (!steps) throw new AppError('unauthenticated', 'Please log in to continue.');
  return steps;
}
