export const DELIVERY_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const isDeliveryStatus = (status: string): status is DeliveryStatus =>
  (DELIVERY_STATUSES as readonly string[]).includes(status);

const RANK: Record<Exclude<DeliveryStatus, 'failed'>, number> & Record<string, number> = {
  waiting: 0,
  sent: 1,
  delivered: 2,
  read: 3,
};

/**
 * The new state of the message, or null if nothing changes. Status reports can arrive in any order and more than once, so the
 * state only moves forward: a delivered message cannot fail, and a failed message has already become a draft.
 */
export function nextDeliveryStatus(state: string, reported: DeliveryStatus): DeliveryStatus | null {
  if (reported === 'failed') return state === 'waiting' || state === 'sent' ? 'failed' : null;
  const rank = RANK[state];
  return rank !== undefined && RANK[reported] > rank ? reported : null;
}
