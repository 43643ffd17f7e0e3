import type { NavigationCounts } from '@lessonbook/contract/dashboard';
import type { Context } from '../../../context.ts';
import { loginRequired } from '../../../platform/app-error.ts';
import { navigationCounts } from '../queries/navigation-counts.ts';

export async function readNavigationCounts(
  { db, clock }: Context,
  tutorId: string,
): Promise<NavigationCounts> {
  const [[counts]] = await db.tutorRead(tutorId, (tx) => [
    navigationCounts(tx, tutorId, clock.now()),
  ]);
  if (!counts) throw loginRequired();
  return counts;
}
