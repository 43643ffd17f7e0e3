import type { Context } from '../../../../context.ts';
import { WhatsAppError } from '../../../../integrations/whatsapp.ts';
import type { AUTHENTICATION_TEMPLATES } from '../../rules/whatsapp-templates.ts';
import { hasOptedOut } from './eligibility.ts';

const TEMPLATE: keyof typeof AUTHENTICATION_TEMPLATES = 'sign_in_code';

/**
 * Sends a sign-in code to a number in E.164 format. No consent is needed, because the person has just asked for the code.
 * Numbers that replied STOP get no code, because anyone who knows a number can request codes for it. Throws if a retry may
 * succeed.
 */
export async function sendSignInCode(
  context: Context,
  { phone, code, reference }: { phone: string; code: string; reference: string },
): Promise<void> {
  const { db, whatsApp, log } = context;
  if (await hasOptedOut(db.global, phone)) return;
  try {
    if (!whatsApp) throw new WhatsAppError('configuration', null);
    await whatsApp.send({
      to: phone.slice(1),
      template: TEMPLATE,
      parameters: [code],
      copiedCode: code,
      reference,
    });
  } catch (error) {
    const reason = error instanceof WhatsAppError ? error.reason : 'retryable';
    if (reason === 'configuration')
      log.error({ err: error }, 'WhatsApp rejected our token, account or templates');
    if (reason === 'retryable' || reason === 'configuration') throw error;
    log.warn({ err: error }, 'WhatsApp did not deliver a sign-in code');
  }
}
