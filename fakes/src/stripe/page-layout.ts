import { renderLayout } from '../shared/page-layout.ts';

export function renderStripePage(title: string, content: string): string {
  return renderLayout('Test mode: a stand-in for Stripe. No money moves.', title, content);
}
