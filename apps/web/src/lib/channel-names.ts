import type { Channel } from '@lessonbook/contract/messages';

export const CHANNEL_NAMES: Record<Channel, string> = { email: 'E-mail', whatsapp: 'WhatsApp' };
