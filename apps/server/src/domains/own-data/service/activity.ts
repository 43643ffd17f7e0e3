import type { Act, ActivityEntry } from '@lessonbook/contract/activity';
import type { Context } from '../../../context.ts';
import { activityOf } from '../queries/activity.ts';
import { actInWords, fromInWords } from '../rules/act-words.ts';

/** What was done to the account, newest first. */
export async function listActivity(
  context: Context,
  tutorId: string,
  page: { limit: number; offset: number },
): Promise<{ entries: ActivityEntry[] }> {
  const [rows] = await context.db.readTutor(tutorId, (tx) => [activityOf(tx, tutorId, page)]);
  return {
    entries: rows.map(({ id, at, act, facts, device, network }) => ({
      id,
      at: at.toISOString(),
      act: act as Act,
      text: actInWords(act as Act, facts as Record<string, string | number>),
      from: fromInWords(device, network),
    })),
  };
}
