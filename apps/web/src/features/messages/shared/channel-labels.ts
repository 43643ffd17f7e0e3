import type { Channel } from '@lessonbook/contract/messages';

export const CHANNEL_LABELS: Record<Channel, string> = { email: 'Email', whatsapp: 'WhatsApp' };
