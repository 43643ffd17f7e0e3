import type { Context } from '../../../context.ts';
import {
  beginNextDemo,
  findDemoTutor,
  makeDemoTutor,
  putNextDemoInPlace,
} from '../../accounts/service/demo.ts';
import { fillBook } from './fill-book.ts';

/** Once; true when it was made now. */
export async function seedDemo(context: Context): Promise<boolean> {
  if (await findDemoTutor(context)) return false;
  await fillBook(context, await makeDemoTutor(context));
  return true;
}

/**
 * Every day a fresh book around today, whatever visitors did to the old one. It is filled beside it and then takes its
 * place, so there is always a whole one; a run that dies half-way leaves nothing that the next does not clear away.
 */
export async function resetDemo(context: Context): Promise<void> {
  if (!context.config.demoAccount) return;
  const nextId = await beginNextDemo(context);
  await fillBook(context, nextId);
  await putNextDemoInPlace(context, nextId);
}
