import type { Context } from '../../../context.ts';
import {
  createDemoTutor,
  createStagedDemo,
  findDemoTutor,
  promoteStagedDemo,
} from '../../accounts/service/create-and-replace-demo-account.ts';
import { seedTutor } from './seed.ts';

/** Returns false if the demo already exists. */
export async function seedDemo(context: Context): Promise<boolean> {
  if (await findDemoTutor(context)) return false;
  await seedTutor(context, await createDemoTutor(context));
  return true;
}

/**
 * Replaces the demo account with a new one, with data around today's date. The new account is seeded under a different username
 * and then promoted, so a complete demo is always available. The next run deletes any account left by a failed run.
 */
export async function resetDemo(context: Context): Promise<void> {
  if (!context.config.demoAccount) return;
  const stagedId = await createStagedDemo(context);
  await seedTutor(context, stagedId);
  await promoteStagedDemo(context, stagedId);
}
