import type { NavigationCounts } from '@lessonbook/contract/dashboard';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { navigationCounts } from '../queries/navigation-counts.ts';

export async function readNavigationCounts(
  { db, clock }: Context,
  tutorId: string,
): Promise<NavigationCounts> {
  const [[counts]] = await db.tutorRead(tutorId, (tx) => [
    navigationCounts(tx, tutorId, clock.now()),
  ]);
  if (!counts) throw new AppError('unauthenticated', 'Please log in to continue.');
  return counts;
}
