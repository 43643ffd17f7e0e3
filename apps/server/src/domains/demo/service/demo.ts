import type { Context } from '../../../context.ts';
import {
  createDemoTutor,
  createStagedDemo,
  findDemoTutor,
  promoteStagedDemo,
} from '../../accounts/service/demo-account.ts';
import { seedTutor } from './seed.ts';

/** Returns false if the demo already exists. */
export async function seedDemo(context: Context): Promise<boolean> {
  if (await findDemoTutor(context)) return false;
  await seedTutor(context, await createDemoTutor(context));
  return true;
}

/**
 * Replaces the demo account with new data around today. The new account is seeded under another name and then promoted,
 * so there is always a complete demo; the next run removes what a failed run has left.
 */
export async function resetDemo(context: Context): Promise<void> {
  if (!context.config.demoAccount) return;
  const nextId = await createStagedDemo(context);
  await seedTutor(context, nextId);
  await promoteStagedDemo(context, nextId);
}
