import { renderPageOf } from '../shared/page-layout.ts';

export function renderPage(title: string, content: string): string {
  return renderPageOf('Test mode: a stand-in for Stripe. No money moves.', title, content);
}
