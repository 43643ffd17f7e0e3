import type { OnboardingProgress } from '@lessonbook/contract/dashboard';
import type { Context } from '../../../context.ts';
import { loginRequired } from '../../../platform/app-error.ts';
import { onboardingProgress } from '../queries/onboarding.ts';

export async function readOnboardingProgress(
  context: Context,
  tutorId: string,
): Promise<OnboardingProgress> {
  const [[steps]] = await context.db.tutorRead(tutorId, (tx) => [onboardingProgress(tx, tutorId)]);
  if (!steps) throw loginRequired();
  return steps;
}
