import type { CancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { PolicyVersion } from '../rules/cancellation.ts';

export const policyVersions = (tx: Tx, tutorId: string) =>
  queryFromSql(
    tx,
    sql<PolicyVersion>`
      select starts_on as "startsOn", tiers, free_late_cancellations as "freeLateCancellations",
        illness_note as "illnessNote", created_at as "createdAt"
      from cancellation_policies where tutor_id = ${tutorId}::uuid order by starts_on`,
  );

/** Replaces the versions that start on this date or later. */
export async function replacePolicyFrom(
  tx: Tx,
  tutorId: string,
  policy: CancellationPolicy & { startsOn: string },
  now: Date,
): Promise<void> {
  await deletePoliciesFrom(tx, tutorId, policy.startsOn);
  await tx
    .insertInto('cancellation_policies')
    .values({
      tutor_id: tutorId,
      starts_on: policy.startsOn,
      tiers: JSON.stringify(policy.tiers),
      free_late_cancellations: policy.freeLateCancellations,
      illness_note: policy.illnessNote,
      created_at: now,
    })
    .execute();
}

export const deletePoliciesFrom = async (
  tx: Tx,
  tutorId: string,
  startsOn: string,
): Promise<void> => {
  await tx
    .deleteFrom('cancellation_policies')
    .where('tutor_id', '=', tutorId)
    .where('starts_on', '>=', startsOn)
    .execute();
};

/** Whether families can see the policy, and when the next school term begins. */
export const findPolicyNotice = (tx: Tx, tutorId: string, now: Date) =>
  queryFromSql(
    tx,
    sql<{ isPortalOpen: boolean; today: string; nextTermStart: string | null }>`
      select t.portal_opened_at is not null as "isPortalOpen", d.today,
        (select min(from_date) from terms
          where terms.tutor_id = t.tutor_id and from_date > d.today) as "nextTermStart"
      from tutors t cross join lateral (select (${now}::timestamptz at time zone t.time_zone)::date as today) d
      where t.tutor_id = ${tutorId}::uuid`,
  );
