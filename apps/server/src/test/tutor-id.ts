import type { SignupInput } from '@lessonbook/contract/accounts';
import type { House } from './house.ts';

/** Under which id a tutor's rows stand: never on the wire, so a test that looks inside asks the directory. */
export async function tutorIdOf(house: House, input: SignupInput): Promise<string> {
  const { tutor_id: tutorId } = await house.context.db.global
    .selectFrom('login_directory')
    .where('username', '=', input.username)
    .select('tutor_id')
    .executeTakeFirstOrThrow();
  return tutorId;
}
