import {
  type CancellationPolicy,
  type CancellationPolicyInput,
  type CancellationPolicySettings,
  POLICY_NOTICE_DAYS,
} from '@lessonbook/contract/cancellation-policy-settings';
import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import {
  deletePoliciesFrom,
  findPolicyNotice,
  policyVersions,
  replacePolicyFrom,
} from '../queries/cancellation-policies.ts';
import { DEFAULT_POLICY, type PolicyVersion, policyOn } from '../rules/cancellation.ts';

/** The start date of the first version of every policy. */
const ALWAYS = '1900-01-01';

export async function readPolicy(
  context: Context,
  tutorId: string,
): Promise<CancellationPolicySettings> {
  const now = context.clock.now();
  const [versions, [notice]] = await context.db.tutorRead(tutorId, (tx) => [
    policyVersions(tx, tutorId),
    findPolicyNotice(tx, tutorId, now),
  ]);
  const { today, isPortalOpen } = notice as Notice;
  const planned = versions.find(({ startsOn }) => startsOn > today);
  return {
    current: toPolicy(policyOn(versions, today)),
    planned: planned ? { ...toPolicy(planned), startsOn: planned.startsOn } : null,
    earliestStart: earliestStart(notice as Notice),
    isPortalOpen,
  };
}

const toPolicy = ({ tiers, freeLateCancellations, illnessNote }: CancellationPolicy) => ({
  tiers,
  freeLateCancellations,
  illnessNote,
});

interface Notice {
  isPortalOpen: boolean;
  today: string;
  nextTermStart: string | null;
}

function earliestStart({ isPortalOpen, today, nextTermStart }: Notice): string {
  if (!isPortalOpen) return today;
  const afterNotice = addDaysToDate(today, POLICY_NOTICE_DAYS);
  return nextTermStart !== null && nextTermStart < afterNotice ? nextTermStart : afterNotice;
}

/** Changes apply immediately while the portal is closed. Once it is open, families rely on the policy, so they apply later. */
export async function updatePolicy(
  context: Context,
  tutorId: string,
  input: CancellationPolicyInput,
): Promise<CancellationPolicySettings> {
  const now = context.clock.now();
  const policy: CancellationPolicy = {
    tiers: input.tiers,
    freeLateCancellations: input.freeLateCancellations,
    illnessNote: input.illnessNote || null,
  };
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const [versions, [notice]] = await executeBatch(tx, [
      policyVersions(tx, tutorId),
      findPolicyNotice(tx, tutorId, now),
    ]);
    const { today, isPortalOpen } = notice as Notice;
    if (!isPortalOpen) return replacePolicyFrom(tx, tutorId, { ...policy, startsOn: ALWAYS }, now);
    const earliest = earliestStart(notice as Notice);
    const startsOn = input.startsOn ?? earliest;
    if (startsOn < earliest)
      throw new AppError('invalid', 'Please choose a later date.', {
        fields: { startsOn: 'Families can see your policy, so this date is too early.' },
      });
    // The first version must be stored, because lessons that are already booked may keep it.
    if (versions.length === 0)
      await replacePolicyFrom(tx, tutorId, { ...DEFAULT_POLICY, startsOn: ALWAYS }, now);
    await deletePoliciesFrom(tx, tutorId, addDaysToDate(today, 1));
    await replacePolicyFrom(tx, tutorId, { ...policy, startsOn }, now);
  });
  return readPolicy(context, tutorId);
}

export async function deletePlannedPolicy(
  context: Context,
  tutorId: string,
): Promise<CancellationPolicySettings> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const [notice] = await findPolicyNotice(tx, tutorId, now).execute();
    const { today } = notice as Notice;
    await deletePoliciesFrom(tx, tutorId, addDaysToDate(today, 1));
  });
  return readPolicy(context, tutorId);
}

export {
  cancellationCostWithMoveRequests,
  cancellationSteps,
  type MoveRequestNotice,
  policyOn,
} from '../rules/cancellation.ts';
export { allowancePeriodOn, type TermRange } from '../rules/terms.ts';
export type { PolicyVersion };
