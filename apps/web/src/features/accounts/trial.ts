/** What the dashboard says about the trial. Nothing is locked when it ends, so it stays a remark. */
export function trialNote(daysLeft: number): string {
  if (daysLeft === 0) return 'Your free trial has ended. Your book stays open.';
  if (daysLeft === 1) return 'Last day of your free trial.';
  return `${daysLeft} days left of your free trial.`;
}
