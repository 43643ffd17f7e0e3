import type { CancellationPolicySettings } from '@lessonbook/contract/cancellation-policy-settings';

/** 50% with less than 24 hours' notice, while the family portal is closed. */
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
