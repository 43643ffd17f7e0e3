import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

export const onboardingProgress = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('tutors')
    .where('tutors.tutor_id', '=', tutorId)
    .select((eb) => [
      eb
        .exists(eb.selectFrom('students').where('tutor_id', '=', tutorId).select('id'))
        .as('student'),
      eb.exists(eb.selectFrom('lessons').where('tutor_id', '=', tutorId).select('id')).as('lesson'),
      eb
        .or([
          eb.exists(
            eb
              .selectFrom('business_settings')
              .where('tutor_id', '=', tutorId)
              .where(sql<boolean>`coalesce(account_number, iban, payment_instructions, '') <> ''`)
              .select('tutor_id'),
          ),
          eb.exists(
            eb
              .selectFrom('card_accounts')
              .where('tutor_id', '=', tutorId)
              .where('account_id', 'is not', null)
              .select('tutor_id'),
          ),
        ])
        .as('payment'),
      eb
        .exists(
          eb
            .selectFrom('reminder_settings')
            .where('tutor_id', '=', tutorId)
            .where('enabled_at', 'is not', null)
            .select('tutor_id'),
        )
        .as('reminders'),
    ])
    .$castTo<{
      student: boolean;
      lesson: boolean;
      payment: boolean;
      reminders: boolean;
    }>();
