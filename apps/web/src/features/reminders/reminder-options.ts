import { RECIPIENTS, REMINDER_LEAD_MINUTES } from '@lessonbook/contract/reminder-settings';

/** '2 hours before' */
export function formatLead(minutes: number | null): string {
  if (minutes === null) return 'No reminder';
  if (minutes % 1440 === 0)
    return minutes === 1440 ? '1 day before' : `${minutes / 1440} days before`;
  return minutes === 60 ? '1 hour before' : `${minutes / 60} hours before`;
}

const NEVER = 'never';

/* Select options need string values. */
export const leadChoices = [
  ...REMINDER_LEAD_MINUTES.map((minutes) => ({
    value: String(minutes),
    label: formatLead(minutes),
  })),
  { value: NEVER, label: formatLead(null) },
];
export const leadToValue = (minutes: number | null): string =>
  minutes === null ? NEVER : String(minutes);
export const parseLead = (text: string | null): (typeof REMINDER_LEAD_MINUTES)[number] | null =>
  REMINDER_LEAD_MINUTES.find((minutes) => String(minutes) === text) ?? null;

const recipientLabels: Record<(typeof RECIPIENTS)[number], string> = {
  carer: 'Carer',
  student: 'Student',
  both: 'Both',
};
export const recipientChoices = RECIPIENTS.map((value) => ({
  value,
  label: recipientLabels[value],
}));

/** Parses '3, 7, 14' into numbers. The contract's schema rejects NaN. */
export const parseDays = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);
