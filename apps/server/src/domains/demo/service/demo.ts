import type { Context } from '../../../context.ts';
import {
  createDemoTutor,
  createStagedDemo,
  findDemoTutor,
  promoteStagedDemo,
} from '../../accounts/service/demo-account.ts';
import { seedTutor } from './seed.ts';

/** Once; true when it was made now. */
export async function seedDemo(context: Context): Promise<boolean> {
  if (await findDemoTutor(context)) return false;
  await seedTutor(context, await createDemoTutor(context));
  return true;
}

/**
 * Every day a fresh book around today, whatever visitors did to the old one. It is filled beside it and then takes its
 * place, so there is always a whole one; a run that dies half-way leaves nothing that the next does not clear away.
 */
export async function resetDemo(context: Context): Promise<void> {
  if (!context.config.demoAccount) return;
  const nextId = await createStagedDemo(context);
  await seedTutor(context, nextId);
  await promoteStagedDemo(context, nextId);
}
