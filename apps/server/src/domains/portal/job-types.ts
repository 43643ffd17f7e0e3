import * as z from 'zod/mini';

export const PORTAL_CODE_EMAIL_JOB = {
  name: 'portal-code-mail',
  payload: z.object({ codeId: z.uuid() }),
};

export const PORTAL_CODE_WHATSAPP_JOB = {
  name: 'portal-code-whatsapp',
  payload: z.object({ codeId: z.uuid() }),
};

/** Informs a person that a new browser is signed in with their address. */
export const PORTAL_LOGIN_EMAIL_JOB = {
  name: 'portal-login-mail',
  payload: z.object({ loginId: z.string() }),
};

/** Informs the owner of an email address that it was replaced. */
export const PORTAL_EMAIL_CHANGED_JOB = {
  name: 'portal-email-changed-mail',
  payload: z.object({ codeId: z.uuid() }),
};

/** A value of `kind` in tenant_schedule, due when the next lesson that a family has asked to move starts. */
export const MOVE_REQUESTS_WORK = 'move-requests';
