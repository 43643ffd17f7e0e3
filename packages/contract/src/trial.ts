const DAY_MS = 86_400_000;

export const TRIAL_DAYS = 14;

/** Days left of the trial, rounded up: 14 on the day of sign-up, 0 after the end. */
export function trialDaysLeft(trialEndsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((trialEndsAt.getTime() - now.getTime()) / DAY_MS));
}
