const DAY_MS = 86_400_000;

export const TRIAL_DAYS = 14;

/** Days left in the trial, rounded up: 14 on the day of sign-up, 0 once it has ended. */
export function trialDaysLeft(trialEndsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((trialEndsAt.getTime() - now.getTime()) / DAY_MS));
}
