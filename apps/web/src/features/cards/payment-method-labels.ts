import { type DefaultMethod, type StripeConnectStatus } from '@lessonbook/contract/card-payments';

export const METHOD_TITLES: Record<DefaultMethod, string> = {
  manual: 'Manual Payments',
  stripe: 'Stripe Payments',
};

export const METHOD_HINTS: Record<DefaultMethod, string> = {
  manual: 'You record payments received outside the app, e.g. cash or bank transfer.',
  stripe: 'Students pay by card. The money goes to your own Stripe account.',
};

/** The label of the next-step button. */
export function nextStepLabel({ connected, onboardingComplete }: StripeConnectStatus): string {
  if (!connected) return 'Connect with Stripe';
  return onboardingComplete ? 'Manage Account' : 'Complete Onboarding';
}

/** Explains the next step. `isOn`: card payments are already enabled. */
export function nextStepHint(status: StripeConnectStatus, isOn: boolean): string {
  if (!status.connected) {
    return 'Stripe asks who you are and where your money should go. It takes a few minutes.';
  }
  if (!status.onboardingComplete) {
    return 'Stripe still needs something from you before families can pay by card.';
  }
  if (!isOn) return "Stripe is ready, but families can't pay by card until you turn it on.";
  if (!status.payoutsEnabled) {
    return 'Families can pay by card. Stripe is holding payouts. See why in your Stripe account.';
  }
  return 'Families can pay by card on the page linked in your reminders and invoices.';
}
