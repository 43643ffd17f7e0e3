/** The note shown in Settings. Nothing is locked when the trial ends. */
export function formatTrialNote(daysLeft: number): string {
  if (daysLeft === 0)
    return 'Your free trial has ended. Lessonbook is free for now, so you can carry on.';
  if (daysLeft === 1) return 'Last day of your free trial.';
  return `${daysLeft} days left in your free trial.`;
}

const ENDING_SOON_DAYS = 5;

/** The home page shows the note only in the last few days of the trial. */
export const isTrialEnding = (daysLeft: number): boolean =>
  daysLeft > 0 && daysLeft <= ENDING_SOON_DAYS;
