import { renderLayout } from '../shared/page-layout.ts';

export function renderStripePage(title: string, content: string): string {
  return renderLayout('Test mode: fake Stripe. No money is transferred.', title, content);
}
