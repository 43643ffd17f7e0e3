import type { Channel } from '@lessonbook/contract/messages';

export const CHANNEL_LABELS: Record<Channel, string> = { email: 'E-mail', whatsapp: 'WhatsApp' };
