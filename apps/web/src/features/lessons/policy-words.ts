import type { CancellationPolicy } from '@lessonbook/contract/time-off';

const isFree = ({ noticeHours, feePercent }: CancellationPolicy): boolean =>
  noticeHours === 0 || feePercent === 0;

/** '24 h, 100 %' */
export const policyInShort = (policy: CancellationPolicy): string =>
  isFree(policy) ? 'Free' : `${policy.noticeHours} h, ${policy.feePercent} %`;

export const policyInWords = (policy: CancellationPolicy): string =>
  isFree(policy)
    ? 'Cancelling is always free.'
    : `With less than ${policy.noticeHours} h of notice, ${policy.feePercent} % of the fee is proposed.`;
