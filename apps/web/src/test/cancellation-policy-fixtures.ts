import type { CancellationPolicySettings } from '@lessonbook/contract/cancellation-policy-settings';

/** A 50% fee for less than 24 hours' notice; the family portal is not open. */
export const policySettings = (
  overrides: Partial<CancellationPolicySettings> = {},
): CancellationPolicySettings => ({
  current: {
    tiers: [{ noticeHours: 24, dayBeforeTime: null, feePercent: 50 }],
    freeLateCancellations: 1,
    illnessNote: null,
  },
  planned: null,
  earliestStart: '2026-11-15',
  isPortalOpen: false,
  ...overrides,
});
