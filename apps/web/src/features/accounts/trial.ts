/** What Settings says about the trial. Nothing is locked when it ends, so it stays a remark. */
export function formatTrialNote(daysLeft: number): string {
  if (daysLeft === 0) return 'Your free trial has ended. Your book stays open.';
  if (daysLeft === 1) return 'Last day of your free trial.';
  return `${daysLeft} days left of your free trial.`;
}

const ENDING_SOON_DAYS = 5;

/** The home page has other things to say first: only the last days stand there, and not for ever after. */
export const isTrialEnding = (daysLeft: number): boolean =>
  daysLeft > 0 && daysLeft <= ENDING_SOON_DAYS;
